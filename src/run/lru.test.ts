import { describe, expect, it } from 'vitest';
import { createLru } from './lru.ts';

describe('createLru', () => {
  const make = (value: string) => async () => value;

  it('makes a value once, also when asked for twice at a time', async () => {
    const cache = createLru<string>(100, (text) => text.length);
    let made = 0;
    const count = async () => `${++made}`;
    expect(await Promise.all([cache('a', count), cache('a', count)])).toEqual(['1', '1']);
    expect(await cache('a', count)).toBe('1');
  });

  it('drops what was used longest ago', async () => {
    const cache = createLru<string>(6, (text) => text.length);
    await cache('a', make('aaa'));
    await cache('b', make('bbb'));
    await cache('a', make('never'));
    await cache('c', make('ccc'));
    expect(await cache('a', make('again'))).toBe('aaa');
    expect(await cache('b', make('again'))).toBe('again');
  });

  it('keeps a value larger than the whole only until the next', async () => {
    const cache = createLru<string>(2, (text) => text.length);
    expect(await cache('big', make('bigger'))).toBe('bigger');
    await cache('x', make('x'));
    expect(await cache('big', make('again'))).toBe('again');
  });

  it('keeps what is still being made', async () => {
    const cache = createLru<string>(6, (text) => text.length);
    let finish = (_: string) => {};
    const slow = cache('slow', () => new Promise((resolve) => (finish = resolve)));
    await cache('big', make('more than all'));
    finish('done');
    expect(await slow).toBe('done');
    expect(await cache('slow', make('again'))).toBe('done');
  });

  it('forgets failures', async () => {
    const cache = createLru<string>(10, (text) => text.length);
    await expect(cache('a', () => Promise.reject(new Error('no')))).rejects.toThrow('no');
    expect(await cache('a', make('yes'))).toBe('yes');
  });
});
