import { listObjects, putObject, putOnce, readObject, removeObjects } from './objects.ts';
import { below, parseS3 } from './s3-url.ts';

/** Small texts below a folder on the storage, by name: what machines tell each other there. */
export interface Marks {
  put(name: string, text: string): Promise<void>;
  /** Leaves one that is there as it is. */
  putOnce(name: string, text: string): Promise<void>;
  list(): Promise<string[]>;
  read(name: string): Promise<string | undefined>;
  clear(): Promise<void>;
}

export function openMarks(url: string, folder: string): Marks {
  const home = below(parseS3(url), folder);
  const at = (name: string) => below(home, name);
  return {
    async put(name, text) {
      await putObject(at(name), Buffer.from(text));
    },
    async putOnce(name, text) {
      await putOnce(at(name), Buffer.from(text));
    },
    list: async () => (await listObjects(home)).map(({ key }) => key.slice(home.key.length + 1)),
    read: async (name) => (await readObject(at(name)))?.bytes.toString(),
    clear: async () => removeObjects((await listObjects(home)).map(({ key }) => ({ ...home, key }))),
  };
}
