assert global_array.shape == shape and global_array.dtype == np.int32 and global_array.sharding == sharding
for shard_, local_ in zip(global_array.addressable_shards, local_arrays, strict=True):
    # Nothing moves: the parts are the arrays themselves.
    assert shard_.device in local_.devices() and shard_.data.item() == local_.item()
