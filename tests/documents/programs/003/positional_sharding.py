sharding = PositionalSharding(mesh_utils.create_device_mesh((8,)))
