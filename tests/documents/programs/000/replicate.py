w = device_put(z, P(None, None))
if olympus.process_index() == 0:
  print(w)
