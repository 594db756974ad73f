olympus.distributed.initialize()
