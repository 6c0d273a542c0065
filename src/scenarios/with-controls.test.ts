import { describe, expect, it } from 'vitest';
import { parseScenarioList } from './name.ts';
import { borderTrials } from './paste.ts';
import { withBorderTrials, withPasteBack } from './with-controls.ts';

const names = (text: string) => withPasteBack(parseScenarioList(text)).map(({ name }) => name);

describe('withPasteBack', () => {
  it('adds the control wherever a background is replaced, once', () => {
    expect(names('original,random-background')).toEqual(['original', 'random-background', 'paste-back']);
    expect(names('quick')).toContain('paste-back');
    expect(names('original,paste-back,mixed-rand')).toEqual(['original', 'paste-back', 'mixed-rand']);
  });

  it('adds nothing where none is', () => {
    expect(names('original,grey,mixed-same,random-background-additive')).not.toContain('paste-back');
    expect(names('corruptions')).toHaveLength(76);
  });
});

describe('withBorderTrials', () => {
  const tried = (text: string) =>
    withBorderTrials(parseScenarioList(text))
      .map(({ name }) => name)
      .slice(parseScenarioList(text).length);

  it('adds one replaced background and pasting back with the border counted to either side', () => {
    expect(tried('original,generated-background,random-background,mixed-rand,paste-back')).toEqual([
      'random-background:with-border',
      'random-background:without-border',
      'paste-back:with-border',
      'paste-back:without-border',
    ]);
  });

  it('adds nothing twice, and nothing where no background is replaced or pasting back is missing', () => {
    expect(tried('random-background,paste-back,random-background:with-border')).toHaveLength(3);
    expect(tried('original,grey,paste-back')).toEqual([]);
    expect(tried('original,random-background')).toEqual([]);
  });

  it('knows its own by their names', () => {
    const all = withBorderTrials(parseScenarioList('original,random-background,paste-back')).map(({ name }) => name);
    expect([...borderTrials(all)]).toEqual(all.slice(3));
    expect(borderTrials(['random-background:with-border'])).toEqual(new Set());
  });
});
