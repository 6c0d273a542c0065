import * as Plot from '@observablehq/plot';
import { parseHTML } from 'linkedom';

export { Plot };

/** Okabe and Ito's colours (2008), told apart by all common forms of colour vision, dark ones first. */
export const colours = ['#0072b2', '#d55e00', '#009e73', '#cc79a7', '#e69f00', '#56b4e9', '#7f7f7f', '#882255'];
/** One shape for each colour, so that figures read in black and white. */
export const symbols = ['circle', 'square', 'triangle', 'diamond', 'star', 'cross', 'wye', 'hexagon'] as const;

export interface Key {
  readonly label: string;
  readonly colour: string;
  readonly symbol: string;
}

/** Colour and shape of each of a few names, the same in every figure of a report. */
export const keysOf = (names: readonly string[]): Key[] =>
  names.map((label, i) => ({ label, colour: colours[i % colours.length], symbol: symbols[i % symbols.length] }));

/** Scales that give each name its colour and shape. */
export const keyScales = (keys: readonly Key[]) => ({
  color: { domain: keys.map(({ label }) => label), range: keys.map(({ colour }) => colour) },
  symbol: { domain: keys.map(({ label }) => label), range: keys.map(({ symbol }) => symbol) as never },
});

/** As much of an SVG element as is needed here; the project has no browser types. */
interface Drawn {
  readonly outerHTML: string;
  readonly children: Iterable<Drawn>;
  readonly tagName: string;
  setAttribute(name: string, value: string): void;
  appendChild(child: Drawn): void;
}

export const fullWidth = 960;
export const halfWidth = 470;
const fontSize = 12;
const rowHeight = 20;
/** Mean advance of a letter of a system font, a little generous. */
const letterPx = fontSize * 0.56;

export const textWidth = (text: string): number => text.length * letterPx;

/** Room for the longest of some labels. */
export const marginFor = (labels: readonly string[], { least = 40, most = 380 } = {}): number =>
  Math.min(most, Math.max(least, Math.ceil(Math.max(0, ...labels.map(textWidth)) + 16)));

/** Draws a plot to SVG text that stands alone, its legend inside. */
export function draw(options: Plot.PlotOptions, { title, legend = [] }: { title: string; legend?: readonly Key[] }) {
  const { document } = parseHTML('<!doctype html><html><body></body></html>');
  const width = options.width ?? fullWidth;
  const placed = placeLegend(legend, width);
  const top = (options.marginTop ?? 14) + placed.height;
  const svg = Plot.plot({
    ...options,
    document,
    width,
    marginTop: top,
    height: options.height === undefined ? undefined : options.height + placed.height,
    className: 'figure',
    style: { fontSize: `${fontSize}px`, ...(options.style as object) },
  }) as unknown as Drawn;
  svg.setAttribute('xmlns', 'http://www.w3.org/2000/svg');
  svg.setAttribute('role', 'img');
  if (legend.length) {
    const drawnLegend = Plot.plot({
      document,
      width,
      height: placed.height,
      margin: 0,
      x: { type: 'identity', axis: null },
      y: { type: 'identity', axis: null },
      symbol: { type: 'identity' as never },
      color: { type: 'identity' },
      marks: [
        Plot.dot(placed.items, { x: 'x', y: 'y', fill: 'colour', symbol: 'symbol', r: 4.5 } as never),
        Plot.text(placed.items, { x: 'x', y: 'y', text: 'label', textAnchor: 'start', dx: 10, fontSize }),
      ],
    });
    for (const group of [...(drawnLegend as unknown as Drawn).children])
      if (group.tagName.toLowerCase() === 'g') svg.appendChild(group);
  }
  return tidy(svg.outerHTML).replace('<svg ', () => `<svg aria-label="${escapeXml(title)}" `);
}

function placeLegend(legend: readonly Key[], width: number) {
  let [x, y] = [8, 10];
  const items = legend.map((key) => {
    const space = textWidth(key.label) + 36;
    if (x > 8 && x + space > width) [x, y] = [8, y + rowHeight];
    const item = { ...key, x, y };
    x += space;
    return item;
  });
  return { items, height: legend.length ? y + rowHeight : 0 };
}

// The DOM leaves `<` in attributes as it is, which HTML allows and a stand-alone SVG does not.
const entities: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };
const escapeXml = (text: string): string => text.replaceAll(/[&<>"]/g, (sign) => entities[sign]);

/** Coordinates to a hundredth of a pixel: a third of the bytes, and the same text on every machine. */
const tidy = (svg: string): string =>
  svg.replace(/(?<![\w#])-?\d+\.\d{3,}/g, (text) => String(Number(Number(text).toFixed(2))));
