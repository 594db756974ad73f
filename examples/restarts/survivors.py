"""Without a launcher: when one of N processes is lost, the others form a job of N - 1, and do not start anew.

    for i in 0 1 2 3; do python examples/restarts/survivors.py $i 4 10000 FOLDER --kill 7:2 & done; wait

The next job is another one, with the next port and with indices from 0, and its process 0 may be another process: a real
program takes its address from a list of the machines.
"""

import argparse
import os
import signal

import numpy as np
from model import batch, initial_state, train

import olympus
from olympus import distributed
from olympus.errors import ProcessLostError

parser = argparse.ArgumentParser()
parser.add_argument("index", type=int)
parser.add_argument("count", type=int)
parser.add_argument("port", type=int)
parser.add_argument("folder", help="where the checkpoints are, a folder that all processes share")
parser.add_argument("--steps", type=int, default=30)
parser.add_argument("--kill", default="", help="STEP:PROCESS, by the index in the first job")
args = parser.parse_args()


def run(is_first):
    """Trains from the last checkpoint on, with the processes that there are now."""
    mesh = olympus.make_mesh((olympus.device_count(),), ("batch",))
    with olympus.checkpoints.Manager(args.folder, keep=2, every=5) as checkpoints:
        done, state = checkpoints.latest() or 0, initial_state(mesh)
        if done:
            state = checkpoints.restore(like=state)
        print(f"{olympus.process_count()} processes begin at step {done}", flush=True)
        for step in range(done, args.steps):
            if is_first and args.kill == f"{step}:{args.index}":
                os.kill(os.getpid(), signal.SIGKILL)
            state, loss = train(state, *batch(step, mesh))
            checkpoints.save(step + 1, state)
    return state


index, count, job = args.index, args.count, 0
while True:
    distributed.initialize(f"localhost:{args.port + job}", count, index, initialization_timeout=60)
    try:
        state = run(is_first=job == 0)
        break
    except ProcessLostError as error:
        print(error.process, "is lost", flush=True)
        distributed.shutdown()  # waits for nobody; old arrays and meshes cannot be used any more
        index, count, job = index - (index > error.process), count - 1, job + 1

print("weights", *np.asarray(state["weights"]["v"]).ravel().tolist())
distributed.shutdown()
