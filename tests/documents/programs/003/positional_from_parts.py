xs = olympus.numpy.ones(olympus.local_device_count())

try:
    sharding = PositionalSharding(mesh_utils.create_device_mesh((olympus.device_count(),)))
    # Create an array of random values:
    x = olympus.random.normal(olympus.random.PRNGKey(0), (4096, 4096))
    olympus.debug.visualize_array_sharding(x)
    multihost_utils.sync_global_devices("sync")
    # and use olympus.make_array_from_single_device_arrays to distribute it across devices:
    y = olympus.make_array_from_single_device_arrays(x, sharding.reshape(4, 2))
    #olympus.debug.visualize_array_sharding(y)
except Exception as e:
    print(f"PositionalSharding error: {e}")
