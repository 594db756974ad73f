arg0 = olympus.device_put(np.arange(4).reshape(4, 1),
                      olympus.NamedSharding(mesh, P("X", None)))
arg1 = olympus.device_put(np.arange(8).reshape(1, 8),
                      olympus.NamedSharding(mesh, P(None, "Y")))

@olympus.jit
def add_arrays(x, y):
  ans = x + y
  print(f"x sharding: {olympus.typeof(x)}")
  print(f"y sharding: {olympus.typeof(y)}")
  print(f"ans sharding: {olympus.typeof(ans)}")
  return ans

with olympus.set_mesh(mesh):
  add_arrays(arg0, arg1)
