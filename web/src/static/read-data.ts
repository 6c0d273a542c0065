const read = new Map<string, Promise<unknown>>();

/** A document of an exported site, read once. */
export function readData<T>(path: readonly string[]): Promise<T> {
  const url = `./data/${path.map(encodeURIComponent).join('/')}`;
  const known = read.get(url) ?? fetch(url).then((response) => response.json());
  read.set(url, known);
  return known as Promise<T>;
}
