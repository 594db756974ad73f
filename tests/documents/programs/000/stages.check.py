assert x.sharding == y.sharding == sharding_first_half
assert z.sharding == result.sharding == sharding_second_half
assert x.committed and y.committed and z.committed and result.committed
halves = olympus.devices()[:4], olympus.devices()[4:]
for array, half in ((y, halves[0]), (result, halves[1])):
    assert {shard.device for shard in array.addressable_shards} == set(half) & set(olympus.local_devices())
    for shard in array.addressable_shards:
        np.testing.assert_array_equal(shard.data, data[shard.index])
np.testing.assert_array_equal(olympus.experimental.multihost_utils.process_allgather(result), data)
