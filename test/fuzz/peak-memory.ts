import { openSync, readSync, writeSync } from 'node:fs';

export interface PeakMeter {
  /** From here on. */
  reset(): void;
  /** The most memory that was resident since the last reset, beyond what was then, in megabytes. */
  megabytes(): number;
}

/** Linux keeps the highest resident size and lets a process reset it (proc(5), `clear_refs`); elsewhere it only ever grows. */
export function createPeakMeter(): PeakMeter {
  const files = openProc();
  let before = 0;
  if (!files) {
    const most = () => process.resourceUsage().maxRSS / 1000;
    return { reset: () => void (before = most()), megabytes: () => most() - before };
  }
  const buffer = Buffer.alloc(4096);
  const read = (name: string) => {
    const text = buffer.toString('latin1', 0, readSync(files.status, buffer, 0, buffer.length, 0));
    const at = text.indexOf(name) + name.length;
    return Number.parseInt(text.slice(at, at + 24), 10) / 1000;
  };
  return {
    reset() {
      writeSync(files.clear, '5');
      before = read('VmRSS:');
    },
    megabytes: () => read('VmHWM:') - before,
  };
}

function openProc(): { clear: number; status: number } | undefined {
  try {
    const clear = openSync('/proc/self/clear_refs', 'w');
    writeSync(clear, '5');
    return { clear, status: openSync('/proc/self/status', 'r') };
  } catch {
    return undefined;
  }
}
