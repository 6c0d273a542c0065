const whole = new Intl.NumberFormat('en');
export const count = (n: number): string => whole.format(n);
export const plural = (n: number, word: string): string => `${count(n)} ${word}${n === 1 ? '' : 's'}`;
export const percent = (share: number): string => `${(100 * share).toFixed(1)} %`;
/** Percentage points, signed. */
export const points = (share: number): string => {
  const text = (100 * share).toFixed(1);
  return Number(text) > 0 ? `+${text}` : text.replace('-', '−');
};
export const interval = (ci: readonly [number, number] | null | undefined, show: (value: number) => string): string =>
  ci ? `${show(ci[0])} to ${show(ci[1])}` : 'no interval';
export const probability = (p: number | null | undefined): string =>
  p === null || p === undefined ? '' : p < 0.001 ? '< 0.001' : p.toFixed(3);
export const time = (text: string | null): string =>
  text ? new Date(text).toLocaleString('en-GB', { dateStyle: 'medium', timeStyle: 'short' }) : '';
