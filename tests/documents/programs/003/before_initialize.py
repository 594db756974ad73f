import olympus
print(olympus.devices())
#out : [cuda(id=0),cuda(id=1),cuda(id=2),cuda(id=3)]
#out : [cuda(id=0),cuda(id=1),cuda(id=2),cuda(id=3)]
