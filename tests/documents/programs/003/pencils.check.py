assert arr4_2.shape == (4096, 2048)
(shard,) = arr4_2.addressable_shards
np.testing.assert_array_equal(shard.data, xs)
row, column = divmod(olympus.process_index(), 2)
assert shard.index == (slice(row * 1024, row * 1024 + 1024), slice(column * 1024, column * 1024 + 1024))
