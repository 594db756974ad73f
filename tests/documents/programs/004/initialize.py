import sys
import olympus
olympus.distributed.initialize(sys.argv[1], int(sys.argv[3]), int(sys.argv[2]))
