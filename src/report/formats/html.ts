import { escapeHtml as esc } from '../../formats/escape.ts';
import type { Block, Report } from '../document.ts';
import { blockHtml } from './html-blocks.ts';
import { script } from './html-script.ts';
import { style } from './html-style.ts';

interface HtmlOptions {
  readonly version?: string;
  /** Strips of pictures are left out from the end until the file is no larger. */
  readonly mostBytes?: number;
}

/** One file that needs nothing else: no network, no second file, no fonts. */
export function reportHtml(report: Report, { version, mostBytes = 6_000_000 }: HtmlOptions = {}): string {
  const html = pageHtml(report, version);
  const excess = Buffer.byteLength(html) - mostBytes;
  const lighter = excess > 0 ? withoutStrips(report, excess) : undefined;
  return lighter ? reportHtml(lighter, { version, mostBytes }) : html;
}

/** The report less its last strips of pictures, at least one; undefined where there are none. */
function withoutStrips(report: Report, bytes: number): Report | undefined {
  let removed = 0;
  const sections = report.sections.map((section) => ({
    ...section,
    blocks: section.blocks.map((block): Block => {
      if (block.kind !== 'strips') return block;
      const strips = [...block.strips];
      while (strips.length && removed < bytes)
        removed += strips.pop()?.tiles.reduce((sum, { src }) => sum + src.length, 1) ?? 0;
      return { ...block, strips };
    }),
  }));
  return removed ? { ...report, sections } : undefined;
}

function pageHtml(report: Report, version: string | undefined): string {
  const links = report.sections
    .filter(({ id }) => id !== 'verdict')
    .map(({ id, title }) => `<a href="#${id}">${esc(title)}</a>`);
  const sections = report.sections.map(
    ({ id, title, blocks }) =>
      `<section id="${id}"><h2>${esc(title)}</h2>${blocks.map(blockHtml).join('\n')}</section>`,
  );
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; img-src data:; style-src 'unsafe-inline'; script-src 'unsafe-inline'">
<meta name="generator" content="Sceneshift${version ? ` ${esc(version)}` : ''}">
<link rel="icon" href="data:,">
<title>${esc(report.subtitle)} – Sceneshift</title>
<style>${style}</style>
</head>
<body>
<header>
<p class="brand">Sceneshift report</p>
<h1>${esc(report.title)}</h1>
<p class="subtitle">${esc(report.subtitle)}</p>
<nav aria-label="Sections">${links.join(' ')}</nav>
</header>
<main>
${sections.join('\n')}
</main>
<footer>Made by Sceneshift${version ? ` ${esc(version)}` : ''}. This file is whole: it needs no network and nothing beside it.</footer>
<script>${script}</script>
</body>
</html>
`;
}
