// Loaded by NODE_OPTIONS=--import: the wall clock starts CLOCK_SHIFT seconds off and jumps to and fro by up to a day.
const shiftMs = 1000 * Number(process.env.CLOCK_SHIFT ?? 0);
const dayMs = 24 * 3600 * 1000;
const RealDate = Date;
const realNow = RealDate.now.bind(RealDate);
let asked = 0;
const now = () => realNow() + shiftMs + (asked++ % 3 === 1 ? dayMs : asked % 7 === 3 ? -dayMs : 0);

globalThis.Date = class extends RealDate {
  constructor(...given) {
    if (given.length) super(...given);
    else super(now());
  }
  static now = now;
};
