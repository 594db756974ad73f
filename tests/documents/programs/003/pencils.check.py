assert arr4_2.shape == (32768, 16384)
(shard,) = arr4_2.addressable_shards
np.testing.assert_array_equal(shard.data, xs)
row, column = divmod(olympus.process_index(), 2)
assert shard.index == (slice(row * 8192, row * 8192 + 8192), slice(column * 8192, column * 8192 + 8192))
