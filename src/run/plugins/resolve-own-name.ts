import nodeModule from 'node:module';

interface Resolved {
  readonly url: string;
  readonly shortCircuit?: boolean;
}
type Resolve = (
  specifier: string,
  context: unknown,
  next: (specifier: string, context: unknown) => Resolved,
) => Resolved;

let done = false;

/**
 * `import … from 'sceneshift'` in a plugin means the Sceneshift that is running, wherever the plugin lies: with a global
 * installation it would not be found, and another copy's `SampleError` would not be ours.
 */
export async function resolveOwnName(): Promise<void> {
  if (done || import.meta.url.endsWith('.ts')) return;
  done = true;
  const own = new URL('./index.js', import.meta.url).href;
  // Newer than the types of the oldest Node we run on; that one has `register` alone.
  const { registerHooks } = nodeModule as { registerHooks?: (hooks: { resolve: Resolve }) => void };
  if (registerHooks) {
    registerHooks({
      resolve: (specifier, context, next) =>
        specifier === 'sceneshift' ? { url: own, shortCircuit: true } : next(specifier, context),
    });
    return;
  }
  const hook = `export const resolve = async (specifier, context, next) =>
    specifier === 'sceneshift' ? { url: ${JSON.stringify(own)}, shortCircuit: true } : next(specifier, context);`;
  nodeModule.register(`data:text/javascript,${encodeURIComponent(hook)}`);
}
