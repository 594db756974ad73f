(shard,) = arr.addressable_shards
np.testing.assert_array_equal(shard.data, array_piece.astype(np.float32))
