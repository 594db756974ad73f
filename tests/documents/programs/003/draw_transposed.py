olympus.debug.visualize_array_sharding(arr2_4)
