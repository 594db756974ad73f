import olympus
olympus.distributed.initialize()
print(olympus.devices())
print(olympus.local_devices())
#out : [cuda(id=0), cuda(id=1), cuda(id=2), cuda(id=3), cuda(id=4), cuda(id=5), cuda(id=6), cuda(id=7)]
#out : [cuda(id=0), cuda(id=1), cuda(id=2), cuda(id=3)]
#out : [cuda(id=0), cuda(id=1), cuda(id=2), cuda(id=3), [cuda(id=4), cuda(id=5), cuda(id=6), cuda(id=7)]
#out : [cuda(id=4), cuda(id=5), cuda(id=6), cuda(id=7)]
