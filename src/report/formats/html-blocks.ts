import { escapeHtml as esc } from '../../formats/escape.ts';
import { type Block, type Figure, type GalleryPicture, type ReportTable, type Strip, showCell } from '../document.ts';
import { figureCsv, tableCsv } from './csv.ts';
import { inlineHtml } from './inline.ts';
import { tableLatex } from './latex.ts';
import { tableMarkdown } from './markdown.ts';

export function blockHtml(block: Block): string {
  switch (block.kind) {
    case 'verdict':
      return `<div class="verdict">${block.sentences.map((sentence) => `<p>${inlineHtml(sentence)}</p>`).join('')}</div>`;
    case 'alarm':
      return `<div class="alarm" role="alert">${block.lines.map((line) => `<p>${esc(line)}</p>`).join('')}</div>`;
    case 'text':
      return `<p>${inlineHtml(block.text)}</p>`;
    case 'heading':
      return `<h3>${inlineHtml(block.text)}</h3>`;
    case 'list': {
      const list = `<ul>${block.items.map((item) => `<li>${inlineHtml(item)}</li>`).join('')}</ul>`;
      return block.folded ? fold(block.folded, list) : list;
    }
    case 'fold':
      return fold(block.summary, block.blocks.map(blockHtml).join('\n'));
    case 'code':
      return `<pre class="code"><code>${esc(block.text)}</code></pre>`;
    case 'figures':
      return `<div class="figures">${block.figures.map(figureHtml).join('')}</div>`;
    case 'table':
      return tableHtml(block.table);
    case 'gallery':
      return `<div class="tiles">${block.pictures.map(pictureHtml).join('')}</div>`;
    case 'strips':
      return stripsHtml(block.strips, block.models);
  }
}

const fold = (summary: string, inside: string) => `<details><summary>${esc(summary)}</summary>${inside}</details>`;

/** What a button offers: the text lies beside it, escaped, and is only read when asked for. */
const offer = (label: string, file: string, text: string) =>
  `<button type="button" data-file="${esc(file)}">${label}</button><template>${esc(text)}</template>`;

/** Charts shrink no further than to letters of ten pixels; a narrower page scrolls them. Their smallest are of eleven. */
const readable = (svg: string): string => {
  const width = Number(/^<svg [^>]*\bwidth="(\d+)"/.exec(svg)?.[1] ?? 0);
  return svg.replace(/^(<svg [^>]*?\bstyle=")/, `$1min-width:${Math.ceil((width * 10.1) / 11)}px;`);
};

function figureHtml(figure: Figure): string {
  const { id, title, caption, svg, half } = figure;
  return `<figure id="figure-${id}"${half ? ' class="half"' : ''}><figcaption><strong>${esc(title)}.</strong> ${esc(caption)}</figcaption><div class="wide">${readable(svg)}</div><div class="get"><button type="button" data-svg="${esc(id)}.svg">SVG</button>${offer('CSV', `${id}.csv`, figureCsv(figure))}</div></figure>`;
}

function tableHtml(table: ReportTable): string {
  const { id, title, note, columns, rows, folded } = table;
  const side = (align?: string) => (align === 'right' ? ' class="r"' : '');
  const head = columns.map(({ label, align }) => `<th scope="col"${side(align)}>${esc(label)}</th>`).join('');
  const body = rows
    .map(
      (row) =>
        `<tr>${columns.map((column) => `<td${side(column.align)}>${esc(showCell(column, row))}</td>`).join('')}</tr>`,
    )
    .join('');
  const get = `<div class="get">${offer('CSV', `${id}.csv`, tableCsv(table))}${offer('Markdown', `${id}.md`, tableMarkdown(table))}${offer('LaTeX', `${id}.tex`, tableLatex(table))}</div>`;
  const inside = `<div class="wide"><table><thead><tr>${head}</tr></thead><tbody>${body}</tbody></table></div>${note ? `<p class="note">${esc(note)}</p>` : ''}${get}`;
  return `<section class="table" id="table-${id}">${folded ? fold(`${title}: ${rows.length} rows`, inside) : `<h3>${esc(title)}</h3>${inside}`}</section>`;
}

function stripsHtml(strips: readonly Strip[], models: readonly string[]): string {
  const letter = new Map(models.map((model, i) => [model, letterOf(i)]));
  const several = models.length > 1;
  const key = several
    ? `<p class="key">${models.map((model) => `<span><b>${letter.get(model)}</b> ${esc(model)}</span>`).join('')}</p>`
    : '';
  return key + strips.map((strip, i) => stripHtml(strip, several ? letter : null, i < openStrips)).join('');
}

const letterOf = (i: number) => (i < 26 ? String.fromCharCode(65 + i) : `M${i + 1}`);

/** The first is open; the rest are a line each until they are asked for. */
const openStrips = 1;

function stripHtml(
  { sample, label, why, tiles }: Strip,
  letter: ReadonlyMap<string, string> | null,
  isOpen: boolean,
): string {
  const shifts = tiles.filter(({ counted }) => counted);
  const wrongIn = shifts.filter(({ answers }) => answers.some(({ correct }) => !correct)).length;
  const mistaken = shifts.length
    ? `; ${letter ? 'a model is mistaken' : 'mistaken'} in ${wrongIn} of ${shifts.length} shifts`
    : '';
  const shown = tiles.map((tile) => tileHtml(tile, label, letter)).join('');
  return `<details class="strip"${isOpen ? ' open' : ''}><summary>${esc(label)} <small>${esc(why)}${mistaken} · <code>${esc(sample)}</code></small></summary><div class="tiles">${shown}</div></details>`;
}

function pictureHtml({ title, notes, src, width, height }: GalleryPicture): string {
  const lines = notes.map((note) => `<li>${esc(note)}</li>`).join('');
  return `<div class="tile"><img src="${src}" width="${width}" height="${height}" alt="${esc(title)}"><p>${esc(title)}</p><ul>${lines}</ul></div>`;
}

function tileHtml(tile: Strip['tiles'][number], label: string, letter: ReadonlyMap<string, string> | null): string {
  const { title, src, width, height, judged, answers } = tile;
  const wrong = judged && answers.some(({ correct }) => !correct);
  const lines = sameAnswers(answers, judged).map(({ models, prediction, correct }) => {
    const who = letter ? `<b>${models.map((model) => letter.get(model)).join(' ')}</b> ` : '';
    if (!judged) return `<li>${who}sees ${esc(prediction)}</li>`;
    return correct ? `<li>${who}✓</li>` : `<li class="no">${who}✗ ${esc(prediction)}</li>`;
  });
  const alt = `${label}: ${title}`;
  return `<div class="tile${wrong ? ' wrong' : ''}"><img src="${src}" width="${width}" height="${height}" alt="${esc(alt)}"><p>${esc(title)}</p><ul>${lines.join('')}</ul></div>`;
}

/** Who said what: models that agree share a line, the right ones first. */
function sameAnswers(answers: Strip['tiles'][number]['answers'], judged: boolean) {
  const groups = new Map<string, { models: string[]; prediction: string; correct: boolean }>();
  const ordered = judged ? [...answers].sort((a, b) => Number(b.correct) - Number(a.correct)) : answers;
  for (const { model, prediction, correct } of ordered) {
    // Several words may be right.
    const key = judged && correct ? 'right' : `wrong ${prediction}`;
    const group = groups.get(key) ?? { models: [], prediction, correct };
    group.models.push(model);
    groups.set(key, group);
  }
  return [...groups.values()];
}
