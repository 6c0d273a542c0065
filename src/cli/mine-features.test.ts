import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { withGrouping } from './mine-features.ts';

it('a network that cannot be opened leaves nothing that waits for an interrupt', async () => {
  const handlers = () => (['SIGINT', 'SIGTERM', 'message'] as const).map((event) => process.listenerCount(event));
  const before = handlers();
  const backbone = join(tmpdir(), 'sceneshift-nowhere', 'missing.onnx');
  await expect(withGrouping({ json: true, backbone, root: '.' }, 'run', async () => 'done')).rejects.toThrow(
    'missing.onnx',
  );
  expect(handlers()).toEqual(before);
});
