assert global_batch.shape == (batch_size, 2048, 42) and global_batch.dtype == np.float32
assert global_batch.sharding == sharding
for number_, shard_ in enumerate(global_batch.addressable_shards):
    part_ = process_batch[number_ * per_device_batch_size:(number_ + 1) * per_device_batch_size]
    np.testing.assert_array_equal(shard_.data, part_.astype(np.float32))
