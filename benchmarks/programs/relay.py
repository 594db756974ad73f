# SPDX-License-Identifier: Apache-2.0
"""A link between two TUN devices that delays and loses packets; not every kernel's traffic control does (netem).

Makes the devices that its first two arguments name, prints ``ready``, and relays until its input ends. Arguments: two
names, seconds of delay in each direction, share of packets lost. Lines of input: ``cut``, ``heal``.
"""

from __future__ import annotations

import fcntl
import heapq
import os
import random
import select
import struct
import sys
import time

_TUNSETIFF, _IFF_TUN, _IFF_NO_PI = 0x400454CA, 0x0001, 0x1000
_LARGEST = 1 << 16
_BATCH = 64


def device(name: str) -> int:
    handle = os.open("/dev/net/tun", os.O_RDWR | os.O_NONBLOCK)
    fcntl.ioctl(handle, _TUNSETIFF, struct.pack("16sH", name.encode(), _IFF_TUN | _IFF_NO_PI))
    return handle


names, delay, loss = sys.argv[1:3], float(sys.argv[3]), float(sys.argv[4])
ends = [device(name) for name in names]
other = {ends[0]: ends[1], ends[1]: ends[0]}
chance = random.Random(0)
queue: list[tuple[float, int, int, bytes]] = []
number, passes = 0, True
print("ready", flush=True)
while True:
    wait = max(0.0, queue[0][0] - time.monotonic()) if queue else None
    readable, _, _ = select.select([*ends, 0], [], [], wait)
    now = time.monotonic()
    for handle in readable:
        if handle == 0:
            words = os.read(0, 100).split()
            if not words:
                sys.exit()
            passes = words[-1] == b"heal"
            continue
        for _ in range(_BATCH):
            try:
                packet = os.read(handle, _LARGEST)
            except (BlockingIOError, OSError):  # empty, or its device is down
                break
            if passes and chance.random() >= loss:
                number += 1
                heapq.heappush(queue, (now + delay, number, other[handle], packet))
    while queue and queue[0][0] <= now:
        _, _, end, packet = heapq.heappop(queue)
        try:
            os.write(end, packet)
        except OSError:  # a device that is down, or whose queue is full, loses it
            continue
