assert arr2_4.shape == (16384, 32768)
(shard,) = arr2_4.addressable_shards
np.testing.assert_array_equal(shard.data, xs)
column, row = divmod(olympus.process_index(), 2)
assert shard.index == (slice(row * 8192, row * 8192 + 8192), slice(column * 8192, column * 8192 + 8192))
