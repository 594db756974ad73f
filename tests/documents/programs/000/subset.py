num_devices = olympus.device_count() // 2
mesh = olympus.make_mesh((num_devices,), ('a',),
                     devices=olympus.devices()[num_devices:],
                     axis_types=(olympus.sharding.AxisType.Explicit,))
sharding = NamedSharding(mesh, P('a'))

data = np.arange(64).reshape((8, 8))
x = olympus.device_put(data, sharding)

# inspect the sharding of the result
if olympus.process_index() == 0:
  olympus.debug.visualize_array_sharding(x)
  print()
  print(x.sharding)

# inspect the data local to each host
print(f"Devices attached to process {olympus.process_index()}: {olympus.local_devices()}")
print(f"Addressable data for process {olympus.process_index()}:")
for shard in x.addressable_shards:
  print(f"device {shard.device} has local data {shard.data}")
