import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { temporaryFolder } from '../../../test/support/cli.ts';
import { plainNet } from '../../../test/support/onnx.ts';
import { closeSessionsAhead, openSession, openSessionAhead } from './session.ts';

const wanted = { quantized: false, threads: 1 };

function writeNet(bytes: Uint8Array): string {
  const path = join(temporaryFolder(), 'net.onnx');
  writeFileSync(path, bytes);
  return path;
}

const smallNet = () => plainNet({ sizePx: 8, outputs: 2, layers: [{ channels: 2, kernel: 3 }] });

describe('a session opened ahead', () => {
  it('is the one that is given, once', async () => {
    const path = writeNet(smallNet());
    await Promise.all([openSessionAhead(path), openSessionAhead(path)]);
    // What opens later would find another file.
    writeFileSync(path, 'no model');
    const session = await openSession({ path, ...wanted });
    expect(session.inputNames).toHaveLength(1);
    await session.release();
    await expect(openSession({ path, ...wanted })).rejects.toThrow('net.onnx cannot be loaded');
  });

  it('is not given for other settings, and is closed where nobody wants it', async () => {
    const path = writeNet(smallNet());
    await openSessionAhead(path);
    writeFileSync(path, 'no model');
    await expect(openSession({ path, ...wanted, threads: 2 })).rejects.toThrow('cannot be loaded');
    await closeSessionsAhead();
    await expect(openSession({ path, ...wanted })).rejects.toThrow('cannot be loaded');
  });

  it('says what is wrong when it is wanted', async () => {
    const path = writeNet(Buffer.from('no model'));
    await openSessionAhead(path);
    await expect(openSession({ path, ...wanted })).rejects.toThrow('net.onnx cannot be loaded');
  });
});
