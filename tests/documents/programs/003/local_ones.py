xs = olympus.numpy.ones(olympus.local_device_count())
olympus.debug.visualize_array_sharding(xs)
