import { expect, it } from 'vitest';
import { modelPairs } from './model-pairs.ts';

const of = (...models: string[]) => ({ source: 'run', models });

it.each([
  ['a,b', ['a', 'b']],
  [' a , b ', ['a', 'b']],
  ['net, large,b', ['net, large', 'b']],
  ['b,net, large', ['b', 'net, large']],
  ['net, large,net, large', ['net, large', 'net, large']],
])('%j names two models, though a name may have a comma', (named, pair) => {
  expect(modelPairs(of('a', 'b', 'net, large'), undefined, named)).toEqual([pair]);
});

it.each([
  ['a', /two models, A,B/],
  ['a,b,c', /two models, A,B/],
  ['x,b', /the first of --models but received 'x'/],
  ['a,x', /the second of --models but received 'x'/],
])('%j does not', (named, reason) => {
  expect(() => modelPairs(of('a', 'b'), undefined, named)).toThrow(reason);
});
