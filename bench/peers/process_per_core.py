"""The best Python without a GPU: a process per core, each decoding once and asking onnxruntime on one thread."""
import multiprocessing
import time

from edits import Network, Photographs, arguments, prepare, report

args = arguments(pure=0.0)


def work(part):
    photographs = Photographs(args)
    network = Network(args.model, 1)
    started = time.perf_counter()
    for row in photographs.rows[part :: args.cores]:
        for _, variant in photographs.variants(row):
            network.ask(prepare(variant))
    network.finish()
    return network.answered, time.perf_counter() - started


def pure(_):
    return Network(args.model, 1).pure(args.pure)


if __name__ == "__main__":
    with multiprocessing.Pool(args.cores) as pool:
        if args.pure:
            report(rate=sum(pool.map(pure, range(args.cores), chunksize=1)))
        else:
            started = time.perf_counter()
            done = pool.map(work, range(args.cores), chunksize=1)
            whole = time.perf_counter() - started
            # Without opening models and reading backgrounds: the slowest process counts.
            seconds = max(seconds for _, seconds in done)
            report(variants=sum(count for count, _ in done), seconds=seconds, whole=whole)
