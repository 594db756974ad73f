curr_id = olympus.process_index()
if curr_id == 0:
    print(f"Total number of devices {olympus.device_count()}")
