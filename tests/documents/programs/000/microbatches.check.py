assert len(results) == 12 and devices == olympus.devices()[:4]
for result_ in results:
    assert result_.devices() == {devices[3]} and result_.committed
    assert bool(result_.addressable_shards) == (devices[3] in olympus.local_devices())
    assert bool(result_.addressable_shards) == (olympus.process_index() == devices[3].process_index)
    for shard_ in result_.addressable_shards:
        np.testing.assert_array_equal(shard_.data, np.arange(512**2).reshape((512, 512)))
