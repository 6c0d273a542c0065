/** An element: its children by name, in order; its own text under `#text`. */
export interface XmlElement {
  readonly [name: string]: readonly (XmlElement | string)[];
}

/** No annotation of one picture is larger. */
const mostBytes = 8 * 1024 * 1024;

const reading = {
  ignoreAttributes: true,
  parseTagValue: false,
  // Entities are decoded below: the five and numbers alone, so that no document type can make text grow.
  processEntities: false,
  maxNestedTags: 50,
  isArray: () => true,
};

/** Reads XML. Throws a plain Error with the reason; the caller knows the file. */
export async function parseXml(text: string): Promise<XmlElement> {
  if (text.length > mostBytes) throw new Error(`it has ${text.length} characters, more than an annotation has`);
  const { XMLParser, XMLValidator } = await import('fast-xml-parser');
  const valid = XMLValidator.validate(text);
  if (valid !== true) throw new Error(`it is no whole XML: ${oneLine(valid.err.msg)} (line ${valid.err.line})`);
  try {
    return new XMLParser(reading).parse(text) as XmlElement;
  } catch (cause) {
    throw new Error(`it is no XML that is read here: ${oneLine((cause as Error).message)}`, { cause });
  }
}

/** Child elements of a name; one without content is an empty element. */
export const xmlChildren = (element: XmlElement | undefined, name: string): XmlElement[] =>
  (Object.hasOwn(element ?? {}, name) ? (element?.[name] ?? []) : []).map((child) =>
    typeof child === 'string' ? { '#text': [child] } : child,
  );

/** Text of the first child of a name. */
export function xmlText(element: XmlElement | undefined, name: string): string | undefined {
  const [child] = xmlChildren(element, name);
  if (!child) return undefined;
  const text = child['#text'] as unknown;
  return decodeEntities(Array.isArray(text) ? text.join('') : String(text ?? '')).trim();
}

const entities: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" };

function decodeEntities(text: string): string {
  return text.replaceAll(/&(#x?[\da-f]+|\w+);/gi, (whole, name: string) => {
    if (!name.startsWith('#')) return Object.hasOwn(entities, name) ? entities[name] : whole;
    const code = /^#x/i.test(name) ? Number.parseInt(name.slice(2), 16) : Number(name.slice(1));
    if (!(code <= 0x10ffff)) throw new Error(`${whole} is no character`);
    return String.fromCodePoint(code);
  });
}

const oneLine = (text: string) => text.replaceAll(/\s+/g, ' ').slice(0, 120);
