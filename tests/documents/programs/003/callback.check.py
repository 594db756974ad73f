for made in (arr, transposed_arr):
    (shard,) = made.addressable_shards
    np.testing.assert_array_equal(shard.data, array[shard.index].astype(np.float32))
