assert (gathered == np.full((4096, 4096), 2048, np.float32)).all()
