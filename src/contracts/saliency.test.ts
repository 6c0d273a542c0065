import fc from 'fast-check';
import { expect, it } from 'vitest';
import { overlayPath } from './saliency.ts';

const at = (model: string, scenario: string, sample: string) =>
  overlayPath({ model, scenario, sample } as Parameters<typeof overlayPath>[0], 'small');

it('two samples never share a picture, whatever they are called', () => {
  expect(at('m', 'original', 'x/1.jpg')).not.toBe(at('m', 'original', 'x-1.jpg'));
  expect(at('m', 'original', 'a:b')).not.toBe(at('m', 'original', 'a@b'));
  expect(at('a/b', 'original', 'c')).not.toBe(at('a', 'original', 'b/c'));
  const name = fc.string({
    minLength: 1,
    unit: fc.constantFrom('a', 'A', '/', '\\', '-', '~', '.', '2', 'f', ':', '@', '%'),
  });
  fc.assert(
    fc.property(fc.tuple(name, name, name), fc.tuple(name, name, name), (one, other) => {
      fc.pre(one.join('\u0000') !== other.join('\u0000'));
      expect(at(...one)).not.toBe(at(...other));
    }),
  );
});

it('stays below its folder', () => {
  for (const part of at('../m', '..', '../../etc/passwd').split('/')) expect(part).not.toBe('..');
});
