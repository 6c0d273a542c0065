// Text from users (names, labels, paths) is text in every format: never markup, a formula or an escape code. One function
// for each; CSV's is `spreadsheetCsv`, JSON's is `JSON.stringify`.

const entities: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' };

/** HTML, as text or inside a quoted attribute. */
export const escapeHtml = (text: string): string => text.replaceAll(/[&<>"']/g, (sign) => entities[sign]);

/** XML 1.0, which has no place for most control characters however they are written. */
export const escapeXml = (text: string): string => escapeHtml(withoutControls(text));

/**
 * Markdown as GitHub reads it: signs of emphasis, code, links (bare addresses too), tables, headings, HTML and entities
 * are escaped. An underscore inside a word needs no escape.
 */
export const escapeMarkdown = (text: string): string =>
  withoutControls(text)
    .replaceAll(/[\r\n]+/g, ' ')
    .replaceAll(/[\\`*~[\]|<>]/g, '\\$&')
    .replaceAll(/(?<![\p{L}\p{N}])_|_(?![\p{L}\p{N}])/gu, '\\_')
    .replaceAll(/&(?=#?\w+;)/g, '\\&')
    .replaceAll('://', '\\://')
    .replaceAll(/\bwww\./gi, (found) => `${found.slice(0, 3)}\\.`)
    .replace(/^(\s*)([#+=-])/, '$1\\$2')
    .replace(/^(\s*\d+)([.)])/, '$1\\$2');

/** For a terminal: control characters are shown, not obeyed; the ends of lines are kept. */
export const terminalText = (text: string): string =>
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is shown
  text.replaceAll(/[\u0000-\u0009\u000B-\u001F\u007F-\u009F\u202A-\u202E\u2066-\u2069]/g, shownControl);

/** `␛` for escape, as the pictures of control characters have it; `\u202e` for what turns the text's direction. */
function shownControl(sign: string): string {
  const code = sign.charCodeAt(0);
  if (sign === '\t') return ' ';
  if (code < 0x20) return String.fromCharCode(0x2400 + code);
  return code === 0x7f ? '␡' : `\\u${code.toString(16).padStart(4, '0')}`;
}

const withoutControls = (text: string): string =>
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is taken out
  text.replaceAll(/[\u0000-\u0008\u000B\u000C\u000E-\u001F\u007F-\u009F\uFFFE\uFFFF]/g, '�');

const latexSigns: Record<string, string> = {
  '\\': '\\textbackslash{}',
  '{': '\\{',
  '}': '\\}',
  $: '\\$',
  '&': '\\&',
  '#': '\\#',
  _: '\\_',
  '%': '\\%',
  '~': '\\textasciitilde{}',
  '^': '\\textasciicircum{}',
  '<': '$<$',
  '>': '$>$',
  '|': '$|$',
  '−': '$-$',
  '–': '--',
  '≤': '$\\le$',
  '≥': '$\\ge$',
  '²': '$^2$',
  '√': '$\\surd$',
  '′': "$'$",
  μ: '$\\mu$',
  '×': '$\\times$',
  '÷': '$\\div$',
  '·': '$\\cdot$',
  '…': '\\dots{}',
  '“': '``',
  '”': "''",
  '’': "'",
  '∞': '$\\infty$',
  '\u00a0': '~',
};
/** LaTeX: every sign prints itself. */
export const escapeLatex = (text: string): string =>
  [...withoutControls(text)]
    .map((sign) => latexSigns[sign] ?? sign)
    .join('')
    .replaceAll('\n', ' ');
