x = olympus.device_put(x, sharding.reshape(1,4))
olympus.debug.visualize_array_sharding(x)


x = olympus.device_put(x, sharding.reshape(4, 1))
olympus.debug.visualize_array_sharding(x)
