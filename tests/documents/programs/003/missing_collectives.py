mesh = Mesh(olympus.devices(), 'x')

def from_third(x):
  return olympus.lax.pbroadcast(x, 'x', 3)

def parts_of_third(x):
  return olympus.lax.pscatter(x[0], 'x', 3)[None]

# row i is on device i
table = olympus.device_put(np.arange(64).reshape(8, 8), NamedSharding(mesh, P('x')))
sent = olympus.shard_map(from_third, mesh=mesh, in_specs=P('x'), out_specs=P('x'))(table)
print(sent.addressable_shards[0].data)
cut = olympus.shard_map(parts_of_third, mesh=mesh, in_specs=P('x'), out_specs=P('x'))(table)
print(cut.addressable_shards[0].data)

# only process 2 makes the array; each process gets its part
whole = np.arange(1024 * 128.0).reshape(1024, 128) if olympus.process_index() == 2 else None
part = multihost_utils.scatter(whole, NamedSharding(mesh, P('x')), source=2)
print(part.shape, part.dtype, part.addressable_shards[0].data.shape, part.addressable_shards[0].data[0, 0])
