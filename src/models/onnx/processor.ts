import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';

export interface Processor {
  /** 8-bit products without saturation in hardware; undefined: this system does not say. */
  readonly vnni: boolean | undefined;
  /** The instruction found, or why the question does not arise. */
  readonly note: string;
}

type Sources = {
  readonly platform: NodeJS.Platform;
  readonly arch: string;
  cpuinfo(): string;
  sysctl(): string;
};

const system: Sources = {
  platform: process.platform,
  arch: process.arch,
  cpuinfo: () => readFileSync('/proc/cpuinfo', 'utf8'),
  sysctl: () =>
    execFileSync('sysctl', ['-a'], { encoding: 'utf8', maxBuffer: 2 ** 24, stdio: ['ignore', 'pipe', 'ignore'] }),
};

/** Whether int8 models answer the same on this processor with and without onnxruntime's precise setting. */
export function inspectProcessor(sources: Sources = system): Processor {
  const { platform, arch } = sources;
  if (arch !== 'x64') return { vnni: true, note: `${arch}: its 8-bit products do not saturate` };
  try {
    if (platform === 'linux') {
      const flags = /^flags\s*:(.*)$/m.exec(sources.cpuinfo())?.[1] ?? '';
      const found = /\b(avx512_vnni|avx_vnni)\b/.exec(flags)?.[1];
      return flags ? { vnni: Boolean(found), note: found ?? 'no VNNI among the flags of /proc/cpuinfo' } : unknown;
    }
    if (platform === 'darwin') {
      const found = /^hw\.optional\.(avx512vnni|avx_vnni)\s*[:=]\s*1/m.exec(sources.sysctl())?.[1];
      return { vnni: Boolean(found), note: found ?? 'no VNNI in sysctl hw.optional' };
    }
  } catch {
    return unknown;
  }
  return unknown;
}

const unknown: Processor = { vnni: undefined, note: 'this system does not say' };
