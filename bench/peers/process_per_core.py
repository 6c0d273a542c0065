"""The best Python without a GPU: a process per core, each decoding once and asking onnxruntime on one thread."""
import multiprocessing
import time

from edits import Network, Photographs, arguments, prepare, report

args = arguments(pure="")


def work(part):
    photographs = Photographs(args)
    network = Network(args.model, 1)
    began = time.time()
    for row in photographs.rows[part :: args.cores]:
        for _, variant in photographs.variants(row):
            network.ask(prepare(variant))
    network.finish()
    return network.answered, began, time.time()


def pure(_):
    return Network(args.model, 1).pure(args.pure)


if __name__ == "__main__":
    with multiprocessing.Pool(args.cores) as pool:
        if args.pure:
            report(pure=pool.map(pure, range(args.cores), chunksize=1))
        else:
            # When each began and ended, without opening models and reading backgrounds.
            report(parts=pool.map(work, range(args.cores), chunksize=1))
