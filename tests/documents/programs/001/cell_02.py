olympus.devices()
