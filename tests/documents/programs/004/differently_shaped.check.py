import re

# What differs, and between which processes.
found_ = re.findall(r"process (\d): #\d+ pmap\(<lambda>\)\(float32\[8@i,(\d)\]\).* at .*differently_shaped.py:6", message)
assert len(found_) >= 2, message
assert all(int(longest_) == 5 + int(process_) for process_, longest_ in found_), message
