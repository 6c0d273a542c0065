import { escapeHtml, escapeMarkdown } from '../../formats/escape.ts';

// Sentences of the report may carry `**strong**` and `` `code` ``. Names that users chose are put into them by `said`,
// which replaces their asterisks and backticks so that they are not read as marks.
const [star, tick] = ['\uE000', '\uE001'];

/** A name, or any text without marks of its own, for use inside a sentence. */
export const said = (text: string): string =>
  text
    .replaceAll(/[\r\n]+/g, ' ')
    .replaceAll('*', star)
    .replaceAll('`', tick);

const shown = (text: string) => text.replaceAll(star, '*').replaceAll(tick, '`');

/** A sentence as HTML; anything but its marks is only text. */
export const inlineHtml = (text: string): string =>
  shown(
    escapeHtml(text)
      .replaceAll(/(\d) %/g, '$1&nbsp;%')
      .replaceAll(/\bP (=|&lt;) (?=\d)/g, 'P&nbsp;$1&nbsp;')
      .replaceAll(/\*\*(.+?)\*\*/g, '<strong>$1</strong>')
      .replaceAll(/`([^`]+)`/g, '<code>$1</code>'),
  );

/** A sentence as Markdown: its marks stay, the rest is escaped. */
export const inlineMarkdown = (text: string): string =>
  text
    .split(/(\*\*.+?\*\*|`[^`]+`)/)
    .map((part) => {
      if (part.startsWith('**')) return `**${escapeMarkdown(shown(part.slice(2, -2)))}**`;
      return part.startsWith('`') ? `\`${part.slice(1, -1)}\`` : escapeMarkdown(shown(part));
    })
    .join('');

/** A sentence without its marks. */
export const inlineText = (text: string): string => shown(text.replaceAll('**', '').replaceAll('`', ''));
