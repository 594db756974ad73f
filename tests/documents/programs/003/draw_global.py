olympus.debug.visualize_array_sharding(arr)
