print(f"Process {olympus.process_index()} global devices : {olympus.devices()}")
print(f"Process {olympus.process_index()} local devices : {olympus.local_devices()}")
#out : Process 0 global devices : [cuda(id=0), cuda(id=1), cuda(id=2), cuda(id=3), cuda(id=4), cuda(id=5), cuda(id=6), cuda(id=7)]
#out : Process 1 global devices : [cuda(id=0), cuda(id=1), cuda(id=2), cuda(id=3), cuda(id=4), cuda(id=5), cuda(id=6), cuda(id=7)]
#out : Process 1 local devices : [cuda(id=4), cuda(id=5), cuda(id=6), cuda(id=7)]
#out : Process 0 local devices : [cuda(id=0), cuda(id=1), cuda(id=2), cuda(id=3)]

