import olympus
print({d.platform for d in olympus.devices()}, olympus.default_backend())
print(olympus.config.source("olympus_platforms"))
