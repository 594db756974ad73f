olympus.distributed.shutdown()
