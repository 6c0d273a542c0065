import { afterEach, expect, it, vi } from 'vitest';
import { openFile } from './open-file.ts';

afterEach(() => {
  vi.unstubAllEnvs();
  vi.restoreAllMocks();
});

it.skipIf(process.platform === 'win32')('says what to do where there is nothing to open it with', async () => {
  vi.stubEnv('PATH', '/nothing-here');
  const said = vi.spyOn(process.stderr, 'write').mockReturnValue(true);
  await openFile('http://127.0.0.1:4600/');
  expect(said).toHaveBeenCalledWith(expect.stringMatching(/^No .* here to open it with: open http:.* in a browser\n$/));
});
