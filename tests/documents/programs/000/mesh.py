from olympus.sharding import Mesh
mesh = Mesh(olympus.devices(), ('a',))

# in this case, the same as
mesh = olympus.make_mesh((olympus.device_count(),), ('a',))  # use this in practice
