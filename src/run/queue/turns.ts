export interface Turn {
  /** The next one may begin, though this one has not ended. */
  next(): void;
  end(): void;
}

/** One after the other, in the order asked; each says when the next may begin. */
export function createTurns() {
  let before: Promise<void> = Promise.resolve();
  let running = 0;
  let waiting: (() => void)[] = [];
  return {
    async take(): Promise<Turn> {
      const turn = before;
      let next = () => {};
      before = new Promise((resolve) => (next = resolve));
      await turn;
      running++;
      let ended = false;
      return {
        next,
        end() {
          if (ended) return;
          ended = true;
          running--;
          next();
          if (running === 1) for (const go of waiting.splice(0)) go();
        },
      };
    },
    /** Called in one's own turn: resolves when all turns before it have ended. */
    othersDone: (): Promise<void> =>
      running <= 1 ? Promise.resolve() : new Promise((resolve) => (waiting = [...waiting, resolve])),
  };
}
