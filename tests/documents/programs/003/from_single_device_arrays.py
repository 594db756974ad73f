import math
from olympus.sharding import Mesh
from olympus.sharding import PartitionSpec as P
import numpy as np

mesh_rows = 2
mesh_cols =  olympus.device_count() // 2

global_shape = (8, 8)
mesh = Mesh(np.array(olympus.devices()).reshape(mesh_rows, mesh_cols), ('x', 'y'))
sharding = olympus.sharding.NamedSharding(mesh, P('x', 'y'))
inp_data = np.arange(math.prod(global_shape)).reshape(global_shape)

arrays = [
   olympus.device_put(inp_data[index], d)
       for d, index in sharding.addressable_devices_indices_map(global_shape).items()]

arr = olympus.make_array_from_single_device_arrays(global_shape, sharding, arrays)
assert arr.shape == (8,8) # arr.shape is (8,8) regardless of olympus.device_count()
