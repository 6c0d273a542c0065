const entities: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' };

export const escapeHtml = (text: string): string => text.replaceAll(/[&<>"']/g, (sign) => entities[sign]);

/** Text with `**strong**` and `` `code` `` as HTML; anything else is only text. */
export const inlineHtml = (text: string): string =>
  escapeHtml(text)
    .replaceAll(/(\d) %/g, '$1&nbsp;%')
    .replaceAll(/\*\*(.+?)\*\*/g, '<strong>$1</strong>')
    .replaceAll(/`([^`]+)`/g, '<code>$1</code>');
