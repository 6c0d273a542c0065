import { describe, expect, it } from 'vitest';
import { parseScenarioList } from './name.ts';
import { withPasteBack } from './with-controls.ts';

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
