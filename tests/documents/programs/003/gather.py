arr_gathered = multihost_utils.process_allgather(arr)
print(f"Process {curr_id} : Gathered Global array value is {arr_gathered}")
