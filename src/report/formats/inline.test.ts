import { expect, it } from 'vitest';
import { inlineHtml, inlineMarkdown, inlineText, said } from './inline.ts';

it('keeps a number with its sign on one line', () => {
  expect(inlineHtml('6 points lost (95 % interval 4 to 8, P < 0.0001), P = 0.04 there')).toBe(
    '6 points lost (95&nbsp;% interval 4 to 8, P&nbsp;&lt;&nbsp;0.0001), P&nbsp;=&nbsp;0.04 there',
  );
});

it('has no marks in names that users chose', () => {
  const sentence = `**${said('a*b`c <i>')}** leads`;
  expect(inlineHtml(sentence)).toBe('<strong>a*b`c &lt;i&gt;</strong> leads');
  expect(inlineText(sentence)).toBe('a*b`c <i> leads');
  expect(inlineMarkdown(sentence)).toMatch(/^\*\*a\\\*b\\`c .*\*\* leads$/);
});
