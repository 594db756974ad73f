arr_sharded = olympus.device_put(arr, sharding)

print(arr_sharded)
olympus.debug.visualize_array_sharding(arr_sharded)
