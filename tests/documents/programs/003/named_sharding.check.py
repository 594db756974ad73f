assert named_sharding.shard_shape((8, 8)) == (4, 2) and mesh.shape == {"x": 2, "y": 4}
