from olympus.sharding import GSPMDSharding, PmapSharding, SingleDeviceSharding

x = olympus.numpy.arange(16.0).reshape(4, 4)
print(x.sharding == SingleDeviceSharding(olympus.devices()[0]))

tiled = olympus.device_put(x, GSPMDSharding(olympus.devices(), '{devices=[2,2]<=[4]}'))
print(tiled.sharding, tiled.sharding.shard_shape(x.shape))
print((tiled @ tiled)[3])

mapped = olympus.pmap(lambda row: olympus.lax.psum(row, 'i'), axis_name='i')(x)
print(mapped.sharding)
print(mapped[0])

positional = PositionalSharding(olympus.devices()).reshape(2, 2)
print(positional)
print(positional.replicate(0))
print(positional.replicate(0).shape, positional.replicate().is_fully_replicated)
rows = olympus.device_put(x, positional.replicate(1))
print([(shard.device.id, shard.index[0], shard.replica_id) for shard in rows.addressable_shards])
