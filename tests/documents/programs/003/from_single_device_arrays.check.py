for shard in arr.addressable_shards:
    np.testing.assert_array_equal(shard.data, inp_data[shard.index])
np.testing.assert_array_equal(olympus.experimental.multihost_utils.process_allgather(arr), inp_data)
