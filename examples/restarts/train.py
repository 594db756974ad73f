"""A training job that goes on after processes die, and saves when its machines are taken back.

    olympus launch -n 4 -d 1 --restarts 3 examples/restarts/train.py FOLDER
    olympus launch --elastic 2:4 -d 1 examples/restarts/train.py FOLDER

It saves its state into FOLDER every few steps and begins with what it finds there. With
--kill 7:2:SIGKILL,13:0:SIGTERM process 2 is killed at step 7 of the first round, and process 0 is asked to end at step
13 of the second: the result is that of an undisturbed job, bit for bit where the number of processes is the same.
"""

import argparse
import os
import signal
import sys

import numpy as np
from model import batch, initial_state, train

import olympus
from olympus import distributed

parser = argparse.ArgumentParser()
parser.add_argument("folder", help="where the checkpoints are, a folder that all processes share")
parser.add_argument("--steps", type=int, default=30)
parser.add_argument("--every", type=int, default=5, help="steps between two checkpoints")
parser.add_argument("--kill", default="", help="STEP:PROCESS:SIGNAL for each round, separated by commas")
args = parser.parse_args()

distributed.initialize()
mesh = olympus.make_mesh((olympus.device_count(),), ("batch",))
kills = dict(enumerate(args.kill.split(",")))

checkpoints = olympus.checkpoints.Manager(args.folder, keep=2, every=args.every)  # each is of so many steps
done, state = checkpoints.latest() or 0, initial_state(mesh)
if done:
    state = checkpoints.restore(like=state)
print(f"{olympus.process_count()} processes begin at step {done}", flush=True)

for step in range(done, args.steps):
    if kills.get(distributed.restart_count(), "").startswith(f"{step}:{olympus.process_index()}:"):
        os.kill(os.getpid(), signal.Signals[kills[distributed.restart_count()].split(":")[2]])
    state, loss = train(state, *batch(step, mesh))
    is_last = distributed.preempted(step)  # after SIGTERM True in all processes at the same step
    checkpoints.save(step + 1, state, force=is_last)
    if is_last:
        checkpoints.close()
        print(f"asked to end: saved {step + 1} steps", flush=True)
        distributed.shutdown()
        sys.exit(143)  # as the signal would have ended it: the job is not done

checkpoints.close()
print("weights", *np.asarray(state["weights"]["v"]).ravel().tolist())
distributed.shutdown()
