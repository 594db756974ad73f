gathered = olympus.experimental.multihost_utils.process_allgather(z)
print(type(gathered).__name__, gathered.shape, gathered.dtype, gathered.min(), gathered.max())

# z is made of rows; each process prints which of them it has
for shard in z.addressable_shards:
  print(shard.device, shard.index[0], shard.replica_id, shard.data.shape)
