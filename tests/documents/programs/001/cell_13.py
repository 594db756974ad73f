replicated_array = np.arange(8).reshape(4, 2)
sharded_array = olympus.device_put(replicated_array, olympus.NamedSharding(mesh, P("X", None)))

print(f"replicated_array type: {olympus.typeof(replicated_array)}")
print(f"sharded_array type: {olympus.typeof(sharded_array)}")
