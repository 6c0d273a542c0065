import { describe, expect, it } from 'vitest';
import { inspectProcessor } from './processor.ts';

const never = () => expect.unreachable();
describe('the processor', () => {
  const linux = (flags: string) =>
    inspectProcessor({
      platform: 'linux',
      arch: 'x64',
      cpuinfo: () => `processor\t: 0\nflags\t\t: ${flags}\nbugs\t: x\n`,
      sysctl: never,
    });
  it('has VNNI where its flags say so', () => {
    expect(linux('avx2 avx512_vnni avx512_bitalg')).toEqual({ vnni: true, note: 'avx512_vnni' });
    expect(linux('avx2 avx_vnni')).toEqual({ vnni: true, note: 'avx_vnni' });
    expect(linux('avx2 avx512f').vnni).toBe(false);
  });
  it('is asked another way on a Mac, and need not be asked on ARM', () => {
    const mac = (text: string) =>
      inspectProcessor({ platform: 'darwin', arch: 'x64', cpuinfo: never, sysctl: () => text });
    expect(mac('hw.optional.avx512vnni: 1\n').vnni).toBe(true);
    expect(mac('hw.optional.avx512vnni: 0\n').vnni).toBe(false);
    expect(inspectProcessor({ platform: 'darwin', arch: 'arm64', cpuinfo: never, sysctl: never }).vnni).toBe(true);
  });
  it('may be unknown', () => {
    expect(inspectProcessor({ platform: 'win32', arch: 'x64', cpuinfo: never, sysctl: never }).vnni).toBeUndefined();
    const unreadable = () => {
      throw new Error('no /proc');
    };
    expect(
      inspectProcessor({ platform: 'linux', arch: 'x64', cpuinfo: unreadable, sysctl: never }).vnni,
    ).toBeUndefined();
  });
});
