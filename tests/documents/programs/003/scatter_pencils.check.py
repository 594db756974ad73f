for pencil_, sharding_ in ((XY_Pencil, inp_sharding), (YZ_Pencil, transposed_sharding)):
    assert pencil_.shape == (1024, 128) and pencil_.sharding == sharding_
    for shard_ in pencil_.addressable_shards:
        np.testing.assert_array_equal(shard_.data, array[shard_.index].astype(np.float32))
