b = olympus.device_put(a , olympus.devices()[2])
#out : [cuda(id=2)]
