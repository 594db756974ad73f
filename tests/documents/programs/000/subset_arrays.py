num_participating_processes = 2
shape = (num_participating_processes, olympus.local_device_count())
devices = (olympus.local_devices(process_index=0) +
           olympus.local_devices(process_index=1))
mesh = olympus.make_mesh(shape, ('i', 'j'),
                     axis_types=(olympus.sharding.AxisType.Explicit,) * 2,
                     devices=devices)
sharding = NamedSharding(mesh, P('i', 'j'))

# manually create per-device data in processes 0 and 1.
if olympus.process_index() in (0, 1):
  local_arrays = [
      olympus.device_put(
          jnp.array([[olympus.process_index() * olympus.local_device_count() + i]]),
          device)
      for i, device in enumerate(olympus.local_devices())
  ]
else:
  local_arrays = []

# assemble an array from the local_arrays across processes 0 and 1
array = olympus.make_array_from_single_device_arrays(
    shape=shape,
    sharding=sharding,
    arrays=local_arrays,
    dtype=jnp.int32)

# sanity check
if olympus.process_index() in (0, 1):
  for shard in array.addressable_shards:
    assert shard.data.size == 1
else:
  assert not array.addressable_shards
