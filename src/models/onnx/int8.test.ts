import { describe, expect, it } from 'vitest';
import { answers, askInt8, decideInt8, knownInt8 } from './int8.ts';

const exact = new Set([64 * 255 * 127, 200]);

describe('int8', () => {
  it('is exact with the setting that was found, on whatever processor this is', async () => {
    const found = await askInt8();
    expect(new Set(await answers(found.session))).toEqual(exact);
    expect(knownInt8()).toEqual(found);
  });

  it('says that products saturate exactly where they do', async () => {
    const { saturates } = await askInt8();
    const unaided = new Set(await answers({}));
    if (saturates) expect(unaided).not.toEqual(exact);
    else expect(unaided).toEqual(exact);
  });

  it('sets nothing where the setting changes nothing', () => {
    expect(decideInt8([2072640, 200], [2072640, 200])).toEqual({ saturates: false, session: {} });
    expect(decideInt8([1048544, 101], [2072640, 200])).toEqual({
      saturates: true,
      session: { x64quantprecision: '1' },
    });
  });
});
