array = np.ones((1024, 128))
inp_sharding = NamedSharding(Mesh(olympus.devices(), 'a'), P('a'))
arr = olympus.make_array_from_callback(array.shape, inp_sharding, lambda index: array[index])

if olympus.process_index() == 1:
  print("global_shards : ")
  for shard in arr.global_shards:
    print("  -", shard)
print("addressable_shards : ")
for shard in arr.addressable_shards:
  print("  -", shard)
