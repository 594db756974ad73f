import olympus

olympus.config.update('olympus_num_cpu_devices', 8)
