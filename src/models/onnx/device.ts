import { UserError } from '../../contracts/errors.ts';
import type { Device } from '../../contracts/model-config.ts';
import { onnxruntime } from '../../formats/onnxruntime.ts';

/** onnxruntime's names. */
const providers: Record<Device, string> = {
  cpu: 'cpu',
  cuda: 'cuda',
  coreml: 'coreml',
  directml: 'dml',
  webgpu: 'webgpu',
};

const advice: Partial<Record<Device, string>> = {
  cuda: 'it comes with: npm rebuild onnxruntime-node --onnxruntime-node-install=cuda12, and needs CUDA 12 and cuDNN 9; or run the network as a program (docs/command-protocol.md)',
  coreml: 'it is part of onnxruntime on macOS',
  directml: 'it is part of onnxruntime on Windows',
  webgpu: 'it needs a graphics driver (Vulkan on Linux)',
};

/** Checked here, because onnxruntime silently leaves out a device that it lacks and answers from the CPU. */
export function providersFor(device: Device, path: string): string[] {
  const known = onnxruntime()
    .listSupportedBackends()
    .map(({ name }) => name);
  if (!known.includes(providers[device]))
    throw new UserError(
      `${path}: device ${device} is not in this onnxruntime, which has ${known.join(', ')}; ${advice[device]}`,
    );
  return device === 'cpu' ? ['cpu'] : [providers[device], 'cpu'];
}

export const deviceFailed = (device: Device, path: string, reason: string): UserError =>
  new UserError(`${path}: device ${device} cannot be used: ${reason}; ${advice[device]}`);
