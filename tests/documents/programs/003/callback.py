import numpy as np
from olympus.experimental import mesh_utils, multihost_utils
from olympus.sharding import Mesh, NamedSharding, PartitionSpec, PositionalSharding
from olympus.sharding import PartitionSpec as P

array = np.random.normal(size=(128, 128))
input_shape = array.shape

def cb(index):
    return array[index]

olympus.distributed.initialize()

devices = mesh_utils.create_device_mesh((4,2))
global_mesh = Mesh(devices, axis_names=('a', 'b'))
inp_sharding = olympus.sharding.NamedSharding(global_mesh,P('a', 'b'))

arr = olympus.make_array_from_callback(input_shape, inp_sharding, cb)

print(arr.shape) #(128,128)
print(arr.addressable_shards[0].data.shape) #(32, 64) 

transposed_sharding = olympus.sharding.NamedSharding(global_mesh,P('b', 'a'))
transposed_arr = olympus.make_array_from_callback(input_shape, transposed_sharding, cb)

print(transposed_arr.shape) #(128,128)
print(transposed_arr.addressable_shards[0].data.shape) #(64, 32)
