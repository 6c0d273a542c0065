import { escapeMarkdown } from '../../formats/escape.ts';
import { type Block, type Report, type ReportTable, showCell } from '../document.ts';
import { inlineMarkdown } from './inline.ts';

export function tableMarkdown({ columns, rows }: ReportTable): string {
  const line = (cells: readonly string[]) => `| ${cells.map(escapeMarkdown).join(' | ')} |`;
  return [
    line(columns.map(({ label }) => label)),
    `|${columns.map(({ align }) => (align === 'right' ? '---:' : '---')).join('|')}|`,
    ...rows.map((row) => line(columns.map((column) => showCell(column, row)))),
  ].join('\n');
}

/** The whole report as text; figures and pictures are in the HTML, their numbers in the tables here. */
export function reportMarkdown(report: Report): string {
  const parts = [`# ${report.title}`, escapeMarkdown(report.subtitle)];
  for (const { title, blocks } of report.sections) {
    parts.push(`## ${title}`);
    for (const block of blocks) parts.push(...blockMarkdown(block));
  }
  return `${parts.join('\n\n')}\n`;
}

function blockMarkdown(block: Block): string[] {
  switch (block.kind) {
    case 'verdict':
      return [block.sentences.map(inlineMarkdown).join(' ')];
    case 'alarm':
      return block.lines.map((line) => `> **Warning.** ${escapeMarkdown(line)}`);
    case 'text':
      return [inlineMarkdown(block.text)];
    case 'heading':
      return [`### ${inlineMarkdown(block.text)}`];
    case 'list':
      return [block.items.map((item) => `- ${inlineMarkdown(item)}`).join('\n')];
    case 'fold':
      return [`### ${escapeMarkdown(block.summary)}`, ...block.blocks.flatMap(blockMarkdown)];
    case 'code':
      return [`\`\`\`sh\n${block.text}\n\`\`\``];
    case 'table':
      return [
        `### ${escapeMarkdown(block.table.title)}`,
        tableMarkdown(block.table),
        ...(block.table.note ? [escapeMarkdown(block.table.note)] : []),
      ];
    case 'strips':
      return [
        block.strips
          .map(({ sample, label, why, tiles }) => {
            const lost = tiles.filter(({ judged, answers }) => judged && answers.some(({ correct }) => !correct));
            return `- ${escapeMarkdown(sample)} (${escapeMarkdown(label)}; ${why}): lost in ${lost.length} of ${tiles.length} scenarios`;
          })
          .join('\n'),
      ];
    case 'gallery':
    case 'figures':
      return [];
  }
}
