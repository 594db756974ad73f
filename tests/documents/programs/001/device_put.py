import olympus
from olympus import device_put
arr = device_put(1, olympus.devices()[2])  # doctest: +SKIP
print(arr.devices())  # doctest: +SKIP
