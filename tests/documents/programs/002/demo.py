import olympus
olympus.distributed.initialize()
if olympus.process_index() == 0:
  print(olympus.devices())
