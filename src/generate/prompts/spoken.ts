/** What stands after a dash in a scene's name and is said before it: `garage-indoor` is an indoor garage. */
const before = new Set([
  'indoor',
  'outdoor',
  'public',
  'interior',
  'exterior',
  'home',
  'natural',
  'wild',
  'cultivated',
  'dry',
]);

/** A category or nuisance as one says it: `church-indoor` → `indoor church`, `binder_closed` → `binder closed`. */
export function spoken(name: string): string {
  const [head, ...rest] = name.replaceAll('_', ' ').split('-');
  const [qualifier] = rest;
  if (rest.length === 1 && before.has(qualifier)) return `${qualifier} ${head}`;
  return [head, ...rest].join(' ');
}

/** With its article; plural things and stuff take none. */
export function withArticle(words: string): string {
  const bare = /(?:jeans|trunks|sunglasses|stairs|ruins)$/.test(words);
  if (bare) return words;
  return `${/^(?:[aeio]|un[^i]|um|up|us[h]|ut[t])/i.test(words) ? 'an' : 'a'} ${words}`;
}
