import numpy as np

assert y.sharding == sharding.reshape(4, 2) and y.shape == (4096, 4096)
assert [shard.data.shape for shard in y.addressable_shards] == [(1024, 2048)]
for shard in y.addressable_shards:
    np.testing.assert_array_equal(shard.data, np.asarray(x)[shard.index])
