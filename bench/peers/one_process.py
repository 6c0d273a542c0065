"""One process, decoded once, everything in memory; OpenCV and onnxruntime use every core."""
import time

from edits import Network, Photographs, arguments, prepare, report

args = arguments()
photographs = Photographs(args, args.cores)
network = Network(args.model, args.cores)
started = time.perf_counter()
for row in photographs.rows:
    for _, variant in photographs.variants(row):
        network.ask(prepare(variant))
network.finish()
report(variants=network.answered, seconds=time.perf_counter() - started)
