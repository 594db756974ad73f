shape = (olympus.process_count(), olympus.local_device_count())
mesh = olympus.make_mesh(shape, ('i', 'j'))
sharding = NamedSharding(mesh, P('i', 'j'))

# manually create per-device data equivalent to np.arange(olympus.device_count())
# i.e. each device will get a single scalar value from 0..N
local_arrays = [
    olympus.device_put(
        jnp.array([[olympus.process_index() * olympus.local_device_count() + i]]),
        device)
    for i, device in enumerate(olympus.local_devices())
]

# assemble a global array from the local_arrays across all processes
global_array = olympus.make_array_from_single_device_arrays(
    shape=shape,
    sharding=sharding,
    arrays=local_arrays)

# sanity check
assert (np.all(
    olympus.experimental.multihost_utils.process_allgather(global_array) ==
    np.arange(olympus.device_count()).reshape(global_array.shape)))
