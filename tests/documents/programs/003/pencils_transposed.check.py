assert arr2_4.shape == (2048, 4096)
(shard,) = arr2_4.addressable_shards
np.testing.assert_array_equal(shard.data, xs)
column, row = divmod(olympus.process_index(), 2)
assert shard.index == (slice(row * 1024, row * 1024 + 1024), slice(column * 1024, column * 1024 + 1024))
