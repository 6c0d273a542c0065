import type { ComponentChildren } from 'preact';
import type { Loading } from '../use-data.ts';

/** Shows what was loaded, or that it is being loaded, or why it could not be. */
export function Loaded<T>({ of, children }: { of: Loading<T>; children: (data: T) => ComponentChildren }) {
  if (of.error)
    return (
      <p class="error" role="alert">
        {of.error}
      </p>
    );
  if (of.data === undefined) return <p class="waiting">Loading …</p>;
  return <div class={of.pending ? 'pending' : undefined}>{children(of.data)}</div>;
}
