import './no-telemetry.ts';
import { createRequire } from 'node:module';

type Onnxruntime = typeof import('onnxruntime-node');
let loaded: Onnxruntime | undefined;

/**
 * Loaded when first asked for. Not by `import`: below one, Node first searches every CommonJS file for names, which each
 * thread would wait for.
 */
export function onnxruntime(): Onnxruntime {
  loaded ??= createRequire(import.meta.url)('onnxruntime-node') as Onnxruntime;
  return loaded;
}
