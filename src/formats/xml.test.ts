import { describe, expect, it } from 'vitest';
import { parseXml, xmlChildren, xmlText } from './xml.ts';

describe('parseXml', () => {
  it('gives elements in order, the text decoded, comments and CDATA apart', async () => {
    const root = await parseXml(
      '<?xml version="1.0"?><!-- <b>no</b> --><a x="1"><b>1 &lt; 2 &#65;&#x42;</b><c/><b><![CDATA[<b>]]></b></a>',
    );
    const [a] = xmlChildren(root, 'a');
    expect(xmlChildren(a, 'b')).toHaveLength(2);
    expect(xmlText(a, 'b')).toBe('1 < 2 AB');
    expect(xmlText(a, 'c')).toBe('');
    expect(xmlText(a, 'd')).toBeUndefined();
    expect(xmlChildren(a, 'toString')).toEqual([]);
  });
  it('leaves the entities of a document type alone', async () => {
    const laughs = '<!DOCTYPE a [<!ENTITY b "ha"><!ENTITY c "&b;&b;&b;">]><a><b>&c;</b></a>';
    expect(xmlText(xmlChildren(await parseXml(laughs), 'a')[0], 'b')).toBe('&c;');
  });
  it.each([
    ['<a><b>1</b>', /no whole XML/],
    ['<a><b>1</a></b>', /no whole XML/],
    ['nothing', /no whole XML/],
    [`${'<a>'.repeat(200)}${'</a>'.repeat(200)}`, /no XML that is read here/],
    [`<a>${' '.repeat(9_000_000)}</a>`, /more than an annotation has/],
  ])('refuses %.20s', async (text, message) => {
    await expect(parseXml(text)).rejects.toThrow(message);
  });
  it('refuses a character that does not exist where it is asked for', async () => {
    const root = await parseXml('<a>&#x110000;</a>');
    expect(() => xmlText(root, 'a')).toThrow('&#x110000; is no character');
  });
});
