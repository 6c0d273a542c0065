import type * as PlotLibrary from '@observablehq/plot';
import { useEffect, useRef } from 'preact/hooks';

type Library = typeof PlotLibrary;
// Asked for at once: a page full of pictures would keep it waiting behind them.
const library = import('@observablehq/plot');

interface PlotProps {
  readonly label: string;
  /** What the drawing depends on. */
  readonly of: string;
  draw(plot: Library, widthPx: number): PlotLibrary.PlotOptions;
}

/** A figure by Observable Plot, loaded when first needed. Marks with an `href` lead to the pictures behind them. */
export function PlotFigure({ label, of, draw }: PlotProps) {
  const box = useRef<HTMLDivElement>(null);
  const latest = useRef(draw);
  latest.current = draw;
  // `of` stands for what is drawn.
  useEffect(() => {
    let gone = false;
    let paintedPx: number | undefined;
    const paint = async () => {
      const Plot = await library;
      const widthPx = box.current?.clientWidth;
      if (gone || !box.current || widthPx === undefined || widthPx === paintedPx) return;
      paintedPx = widthPx;
      const drawn = Plot.plot({ className: 'plot', ...latest.current(Plot, widthPx) });
      // Plot brings its style as an element, which the policy forbids; style.css has the same rules.
      for (const style of drawn.querySelectorAll('style')) style.remove();
      nameLinks(drawn);
      drawn.querySelector('svg')?.setAttribute('aria-label', label);
      if (drawn.tagName === 'svg') drawn.setAttribute('aria-label', label);
      // The mark that has the keyboard's focus keeps it when the figure is drawn anew.
      const focused = Array.from<Element | null>(box.current.querySelectorAll('a')).indexOf(document.activeElement);
      box.current.replaceChildren(drawn);
      if (focused >= 0) drawn.querySelectorAll('a')[focused]?.focus();
    };
    void paint();
    const observer = new ResizeObserver(() => void paint());
    observer.observe(box.current as HTMLDivElement);
    return () => {
      gone = true;
      observer.disconnect();
    };
  }, [of, label]);
  return <div class="plot-box" ref={box} />;
}

/** Names belong on what can be reached: on the links, not on groups of marks. */
function nameLinks(drawn: Element): void {
  for (const group of drawn.querySelectorAll('g[aria-label]')) group.removeAttribute('aria-label');
  for (const mark of drawn.querySelectorAll('a > [aria-label]')) {
    mark.parentElement?.setAttribute('aria-label', mark.getAttribute('aria-label') ?? '');
    mark.removeAttribute('aria-label');
  }
}
