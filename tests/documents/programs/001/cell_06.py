from olympus.sharding import PartitionSpec as P

mesh = olympus.make_mesh((2, 4), ('x', 'y'))
sharding = olympus.sharding.NamedSharding(mesh, P('x', 'y'))
print(sharding)
