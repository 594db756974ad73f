mesh = Mesh(np.array(olympus.devices()).reshape(2, 4), ('x', 'y'))
spec = P('x', 'y')
named_sharding = olympus.sharding.NamedSharding(mesh, spec)
