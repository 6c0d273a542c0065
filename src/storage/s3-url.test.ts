import { describe, expect, it } from 'vitest';
import { isBelow, isSafeKey, parseS3, resolvePlace, s3Url } from './s3-url.ts';

describe('addresses on object storage', () => {
  it('have a bucket and a prefix, slashes at the ends left out', () => {
    expect(parseS3('s3://photos')).toEqual({ bucket: 'photos', key: '' });
    expect(parseS3('s3://photos/a/b c/')).toEqual({ bucket: 'photos', key: 'a/b c' });
    expect(s3Url(parseS3('s3://photos/a/'))).toBe('s3://photos/a');
  });

  it.each(['s3://', 's3://a', 's3:///key', 's3://photos/../other', 's3://photos/a//b', 's3://photos/a\\..\\b'])(
    'refuses %s',
    (url) => {
      expect(() => parseS3(url, '--data')).toThrow(/^Expected .* for --data but received/);
    },
  );

  it('takes no password, and does not repeat it', () => {
    expect(() => parseS3('s3://key:secret@photos/a')).toThrow(
      /^(?!.*secret@).*AWS_SECRET_ACCESS_KEY in the environment$/,
    );
  });

  it("keeps an object's key that leads nowhere else", () => {
    expect(['a/b.jpg', 'ä.jpg', '.hidden/x'].map(isSafeKey)).toEqual([true, true, true]);
    expect(['/a', 'a/../b', './a', 'a/', 'a\0b'].map(isSafeKey)).toEqual([false, false, false, false, false]);
  });

  it('lies below another, or only begins alike', () => {
    expect(isBelow('s3://b1x/a/c', 's3://b1x/a/')).toBe(true);
    expect([isBelow('s3://b1x/ab', 's3://b1x/a'), isBelow('s3://b1x', 's3://b1x/a')]).toEqual([false, false]);
  });

  it('is no path: it stays as it is where paths are made whole', () => {
    expect(resolvePlace('s3://photos/a', '/x')).toBe('s3://photos/a');
    expect(resolvePlace('a', '/x')).toMatch(/[\\/]x[\\/]a$/);
  });
});
