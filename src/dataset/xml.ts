const entities: Record<string, string> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" };

const decodeEntities = (text: string) =>
  text.replace(/&(#x?[\da-f]+|\w+);/gi, (whole, name: string) => {
    if (!name.startsWith('#')) return entities[name] ?? whole;
    return String.fromCodePoint(name[1] === 'x' ? Number.parseInt(name.slice(2), 16) : Number(name.slice(1)));
  });

/** Contents of every element of a name, in order. Enough for annotation files: no element lies inside one of its own name. */
export const elements = (xml: string, name: string): string[] =>
  [...xml.matchAll(new RegExp(`<${name}(?:\\s[^>]*)?>([\\s\\S]*?)</${name}>`, 'g'))].map(([, content]) => content);

/** Text of the first element of a name. */
export const elementText = (xml: string, name: string): string | undefined => {
  const [content] = elements(xml, name);
  return content === undefined ? undefined : decodeEntities(content).trim();
};
