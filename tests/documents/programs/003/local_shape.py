print(arr.shape, arr.addressable_shards[0].data.shape)
