assert sharding.shape == (8,) and sharding.device_set == set(olympus.devices())
