import olympus
olympus.distributed.initialize()
print(olympus.devices())
print(olympus.local_devices())
assert olympus.process_count() > 1
assert len(olympus.devices()) > len(olympus.local_devices())
