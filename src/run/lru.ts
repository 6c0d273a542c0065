interface Entry<Value> {
  readonly value: Promise<Value>;
  /** 0 while it is being made. */
  bytes: number;
  usedAt: number;
}

/** A cache that holds at most `capacityBytes`, dropping what was used longest ago. Values are made once even if asked for twice at a time. */
export function createLru<Value>(capacityBytes: number, sizeOf: (value: Value) => number) {
  // Entries stay where they are when they are used: the tables that a Map leaves behind when it is reordered hold on to what it had.
  const entries = new Map<string, Entry<Value>>();
  let held = 0;
  let uses = 0;
  const makeRoom = (kept: Entry<Value>) => {
    const others = [...entries].filter(([, entry]) => entry.bytes && entry !== kept);
    for (const [key, { bytes }] of others.sort(([, a], [, b]) => a.usedAt - b.usedAt)) {
      if (held <= capacityBytes) return;
      held -= bytes;
      entries.delete(key);
    }
  };
  return async (key: string, make: () => Promise<Value>): Promise<Value> => {
    const known = entries.get(key);
    if (known) {
      known.usedAt = uses++;
      return known.value;
    }
    const entry: Entry<Value> = { value: make(), bytes: 0, usedAt: uses++ };
    entries.set(key, entry);
    try {
      const value = await entry.value;
      entry.bytes = sizeOf(value);
      held += entry.bytes;
      if (held > capacityBytes) makeRoom(entry);
      return value;
    } catch (error) {
      entries.delete(key);
      throw error;
    }
  };
}
