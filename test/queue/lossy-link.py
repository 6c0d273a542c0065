#!/usr/bin/python3
"""lossy-link.py NAMESPACE ADDRESS PEER DELAY_MS LOSS_PERCENT SEED: a link between this machine and a network namespace.

Two TUN interfaces, one here (ADDRESS) and one there (PEER); every packet waits DELAY_MS, and LOSS_PERCENT of them are
dropped. For kernels without tc's netem. Says `up` when the link is there; on SIGTERM prints what it carried, as JSON."""
import ctypes, fcntl, heapq, json, os, random, select, signal, struct, subprocess, sys, time

namespace, address, peer, delay_ms, loss_percent, seed = sys.argv[1:7]
delay, loss = float(delay_ms) / 1000, float(loss_percent) / 100
TUNSETIFF, IFF_TUN_NO_PI, CLONE_NEWNET = 0x400454CA, 0x1001, 0x40000000


def tun(name):
    handle = os.open("/dev/net/tun", os.O_RDWR | os.O_NONBLOCK)
    fcntl.ioctl(handle, TUNSETIFF, struct.pack("16sH22x", name.encode(), IFF_TUN_NO_PI))
    return handle


def configure(name, own, other, prefix=()):
    for args in (["addr", "add", own, "peer", other, "dev", name], ["link", "set", name, "up"]):
        subprocess.run([*prefix, "ip", *args], check=True)


def enter(path):
    libc = ctypes.CDLL(None, use_errno=True)
    with open(path) as handle:
        if libc.setns(handle.fileno(), CLONE_NEWNET):
            raise OSError(ctypes.get_errno(), f"setns {path}")


names = [f"ssl{os.getpid()}", "sslink"]
here = tun(names[0])
configure(names[0], address, peer)
enter(f"/var/run/netns/{namespace}")
there = tun(names[1])
configure(names[1], peer, address)
subprocess.run(["ip", "link", "set", "lo", "up"], check=True)

counts = {"carried": 0, "dropped": 0}
dice = random.Random(int(seed))
waiting, order = [], 0
running = True


def stop(*_):
    global running
    running = False


signal.signal(signal.SIGTERM, stop)
print("up", flush=True)
while running:
    now = time.monotonic()
    while waiting and waiting[0][0] <= now:
        _, _, to, packet = heapq.heappop(waiting)
        try:
            os.write(to, packet)
        except OSError:
            counts["dropped"] += 1
    limit = max(0.0, waiting[0][0] - now) if waiting else 0.5
    ready, _, _ = select.select([here, there], [], [], min(limit, 0.5))
    for handle in ready:
        packet = os.read(handle, 65536)
        if dice.random() < loss:
            counts["dropped"] += 1
            continue
        counts["carried"] += 1
        order += 1
        heapq.heappush(waiting, (time.monotonic() + delay, order, there if handle == here else here, packet))
print(json.dumps(counts), flush=True)
