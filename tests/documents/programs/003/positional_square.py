y = olympus.device_put(x, sharding.reshape(2, 2))
olympus.debug.visualize_array_sharding(y)
