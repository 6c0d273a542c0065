/** A cache that holds at most `capacityBytes`, dropping what was used longest ago. Values are made once even if asked for twice at a time. */
export function createLru<Value>(capacityBytes: number, sizeOf: (value: Value) => number) {
  const entries = new Map<string, { value: Promise<Value>; bytes: number }>();
  let held = 0;
  const drop = (key: string) => {
    held -= entries.get(key)?.bytes ?? 0;
    entries.delete(key);
  };
  return async (key: string, make: () => Promise<Value>): Promise<Value> => {
    const known = entries.get(key);
    if (known) {
      entries.delete(key);
      entries.set(key, known);
      return known.value;
    }
    const entry = { value: make(), bytes: 0 };
    entries.set(key, entry);
    try {
      const value = await entry.value;
      entry.bytes = sizeOf(value);
      held += entry.bytes;
      for (const oldest of entries.keys()) {
        if (held <= capacityBytes || oldest === key) break;
        drop(oldest);
      }
      return value;
    } catch (error) {
      entries.delete(key);
      throw error;
    }
  };
}
