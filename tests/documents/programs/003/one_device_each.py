import olympus
olympus.distributed.initialize()

if olympus.process_index() == 0:
    print(f"global devices : {olympus.devices()}")
print(f"Process {olympus.process_index()} local devices : {olympus.local_devices()}")

#out : global devices : [cuda(id=0), cuda(id=1), cuda(id=2), cuda(id=3), cuda(id=4), cuda(id=5), cuda(id=6), cuda(id=7)]
#out : Process 0 local devices : [cuda(id=0)]
#out : Process 5 local devices : [cuda(id=5)]
#out : Process 1 local devices : [cuda(id=1)]
#out : Process 4 local devices : [cuda(id=4)]
#out : Process 3 local devices : [cuda(id=3)]
#out : Process 2 local devices : [cuda(id=2)]
#out : Process 7 local devices : [cuda(id=7)]
#out : Process 6 local devices : [cuda(id=6)]

