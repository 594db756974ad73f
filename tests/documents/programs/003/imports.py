import numpy as np
from olympus.experimental import mesh_utils, multihost_utils
from olympus.sharding import Mesh, NamedSharding, PartitionSpec, PositionalSharding
from olympus.sharding import PartitionSpec as P
