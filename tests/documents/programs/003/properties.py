from olympus.sharding import Mesh, NamedSharding, SingleDeviceSharding
from olympus.sharding import PartitionSpec as P

own = SingleDeviceSharding(olympus.local_devices()[0])
split = NamedSharding(Mesh(olympus.devices(), 'x'), P('x'))
whole = NamedSharding(Mesh(olympus.devices(), 'x'), P())

def properties(sharding):
  print(sorted(d.id for d in sharding.addressable_devices), len(sharding.device_set),
        sharding.is_fully_addressable, sharding.is_fully_replicated, sharding.shard_shape((8, 8)))

properties(own)
properties(split)
properties(whole)
