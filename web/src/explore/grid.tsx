import { useEffect, useMemo, useRef, useState } from 'preact/hooks';
import { type Explored, tileBlock, type VariantTile } from '../../../src/contracts/studio/explore.ts';
import { isStatic } from '../api.ts';
import { useShortcuts } from '../keys.ts';
import { count, percent } from '../parts/format.ts';
import { go, href, place, setQuery, toParams } from '../router.ts';
import { layOut } from './layout.ts';
import { runData } from './run-data.ts';
import { useTilePicture } from './tile-pictures.ts';
import { createTileStore, type SheetCell } from './tile-store.ts';

const sizes = { tilePx: 132, captionPx: 40, gapPx: 8, headPx: 40 };
/** Built above and below what is seen, so that a turn of the wheel finds pictures already there. */
const overscanPx = 700;

interface GridProps {
  readonly run: string;
  /** The filter as it stands in the address, and nothing else of it. */
  readonly query: URLSearchParams;
  readonly explored: Explored;
}

/** Hundreds of thousands of tiles, of which those in sight exist. */
export function Grid({ run, query, explored }: GridProps) {
  const { groups, variants: total } = explored;
  const box = useRef<HTMLDivElement>(null);
  const [view, setView] = useState({ top: 0, height: 800, width: 0 });
  const [, redraw] = useState(0);
  const key = `${run} ${query}`;
  // The key stands for run and query.
  const store = useMemo(() => createTileStore(run, query, explored, () => redraw((n) => n + 1)), [key, explored]);
  useEffect(() => () => store.stop(), [store]);
  const layout = useMemo(() => layOut(groups, { ...sizes, widthPx: view.width }), [groups, view.width]);
  useEffect(() => watch(box.current as HTMLDivElement, setView), []);
  const wanted = Number(place.value.query.get('at') ?? 0);
  const active = Math.min(Math.max(0, wanted), Math.max(0, total - 1));
  const shown = layout.visible(view.top - overscanPx, view.top + view.height + overscanPx);
  const seen = layout.visible(view.top, view.top + view.height);
  useEffect(() => void store.want(shown.from, shown.to), [store, shown.from, shown.to]);

  const move = (to: number) => {
    const next = Math.min(total - 1, Math.max(0, to));
    setQuery({ at: next || null }, { replace: true });
    const { top } = layout.positionOf(next);
    const element = box.current as HTMLDivElement;
    if (top < element.scrollTop) element.scrollTop = Math.max(0, top - sizes.headPx);
    else if (top + layout.rowPx > element.scrollTop + element.clientHeight)
      element.scrollTop = top + layout.rowPx - element.clientHeight;
    requestAnimationFrame(() => requestAnimationFrame(() => focusTile(element, next)));
  };
  /** The address with the filter that shows this group alone. */
  const groupHref = (name: string, more: Record<string, string> = {}) => {
    const by = query.get('group') ?? '';
    return href(
      ['runs', run, 'explore'],
      toParams({ ...more, [by]: by === 'sample' ? `=${name}` : name, group: null }, query),
    );
  };
  const perScreen = layout.columns * Math.max(1, Math.floor(view.height / layout.rowPx));
  useShortcuts('Pictures', [
    { keys: 'ArrowRight', does: 'next picture', run: () => move(active + 1) },
    { keys: 'ArrowLeft', does: 'picture before', run: () => move(active - 1) },
    { keys: 'ArrowDown', does: 'one row down', run: () => move(active + layout.columns) },
    { keys: 'ArrowUp', does: 'one row up', run: () => move(active - layout.columns) },
    { keys: 'PageDown', does: 'one screen down', run: () => move(active + perScreen) },
    { keys: 'PageUp', does: 'one screen up', run: () => move(active - perScreen) },
    { keys: 'Home', does: 'first picture', run: () => move(0) },
    { keys: 'End', does: 'last picture', run: () => move(total - 1) },
    {
      keys: 'o',
      does: 'open the picture',
      run: () => {
        const tile = store.get(active);
        if (tile) go(sampleHref(run, tile));
      },
    },
  ]);

  return (
    <div class="grid" ref={box}>
      <ul class="grid-inner" style={{ height: `${layout.heightPx}px` }} aria-label="Variants">
        {shown.heads.map(({ group, top }) => (
          <li class="grid-head" key={`head ${group}`} style={{ transform: `translateY(${top}px)` }}>
            <b>{groups[group].name}</b>{' '}
            <a href={groupHref(groups[group].name)}>{count(groups[group].count)} pictures</a>,{' '}
            <a href={groupHref(groups[group].name, { outcome: 'wrong' })}>
              {percent(groups[group].wrong / groups[group].answers)} of {count(groups[group].answers)} answers wrong
            </a>
          </li>
        ))}
        {Array.from({ length: Math.max(0, shown.to - shown.from) }, (_, i) => {
          const tile = shown.from + i;
          const { top, column } = layout.positionOf(tile);
          return (
            <li
              key={tile}
              aria-posinset={tile + 1}
              aria-setsize={total}
              style={{
                transform: `translate(${column * (layout.tilePx + sizes.gapPx)}px, ${top}px)`,
                width: `${layout.tilePx}px`,
              }}
            >
              <Tile
                run={run}
                tile={store.get(tile)}
                cell={store.cell(tile)}
                isSettled={store.isSettled(tile)}
                index={tile}
                isActive={tile === active}
                isSeen={tile >= seen.from && tile < seen.to}
                sizePx={layout.tilePx}
              />
            </li>
          );
        })}
      </ul>
    </div>
  );
}

export const sampleHref = (run: string, { sample, scenario }: { sample: string; scenario: string }): string =>
  href(['runs', run, 'sample'], { id: sample, scenario });

interface TileProps {
  readonly run: string;
  readonly tile: VariantTile | undefined;
  readonly cell: SheetCell | undefined;
  /** Its photograph is there or will not come, so that its edit may be asked for. */
  readonly isSettled: boolean;
  readonly index: number;
  readonly isActive: boolean;
  /** In sight: asked for before tiles beyond the edge of the screen. */
  readonly isSeen: boolean;
  readonly sizePx: number;
}

function Tile({ run, tile, cell, isSettled, index, isActive, isSeen, sizePx }: TileProps) {
  if (!tile)
    return (
      <span class="tile empty" style={{ height: `${sizePx + 34}px` }}>
        {cell && <TilePhotograph cell={cell} sizePx={sizePx} />}
      </span>
    );
  const { sample, scenario, label, fails, asked, answer } = tile;
  const words = `${sample}, ${scenario}: ${fails} of ${asked} wrong`;
  return (
    <a
      class={`tile ${fails ? 'fails' : ''}`}
      href={sampleHref(run, tile)}
      data-tile={index}
      tabIndex={isActive ? 0 : -1}
      title={words}
    >
      {isStatic ? (
        <img
          src={runData.pictureUrl(run, { sample, scenario, size: 160 })}
          alt={words}
          width={sizePx}
          height={sizePx}
          decoding="async"
          fetchpriority={isSeen ? 'high' : 'low'}
          draggable={false}
        />
      ) : (
        <TilePicture {...{ run, tile, cell, isSettled, words, isSeen, sizePx }} />
      )}
      <span class="tile-line">
        {label}
        {answer && answer !== label && <span class="wrong"> → {answer}</span>}
      </span>
      <span class="tile-line soft">
        <span class={fails ? 'wrong' : 'right'}>
          {fails}/{asked}
        </span>{' '}
        {scenario}
      </span>
    </a>
  );
}

/** The photograph at once, faded; over it the edit, as soon as it is made. */
function TilePicture({
  run,
  tile: { sample, scenario },
  cell,
  isSettled,
  words,
  isSeen,
  sizePx,
}: Pick<TileProps, 'run' | 'cell' | 'isSettled' | 'isSeen' | 'sizePx'> & { tile: VariantTile; words: string }) {
  const url = runData.pictureUrl(run, { sample, scenario, size: 160 });
  const { src, hasFailed } = useTilePicture(isSettled ? url : undefined, isSeen);
  const size = { width: sizePx, height: sizePx, draggable: false } as const;
  return (
    <span class="tile-picture" style={{ width: `${sizePx}px`, height: `${sizePx}px` }}>
      {!src && cell && <TilePhotograph cell={cell} sizePx={sizePx} />}
      {hasFailed && <span class="tile-problem">cannot be shown</span>}
      {src && <img class="tile-edit" src={src} alt={words} {...size} />}
    </span>
  );
}

/** Its square of the sheet. */
const TilePhotograph = ({ cell: { url, column, row }, sizePx }: { cell: SheetCell; sizePx: number }) => (
  <span
    class="tile-photograph"
    style={{
      width: `${sizePx}px`,
      height: `${sizePx}px`,
      backgroundImage: `url("${url}")`,
      backgroundSize: `${tileBlock.columns * sizePx}px auto`,
      backgroundPosition: `${-column * sizePx}px ${-row * sizePx}px`,
    }}
  />
);

const focusTile = (box: HTMLElement, tile: number) =>
  (box.querySelector(`[data-tile="${tile}"]`) as HTMLElement | null)?.focus({ preventScroll: true });

function watch(
  box: HTMLDivElement,
  setView: (view: { top: number; height: number; width: number }) => void,
): () => void {
  let asked = 0;
  const read = () => {
    asked = 0;
    setView({ top: box.scrollTop, height: box.clientHeight, width: box.clientWidth - 24 });
  };
  const soon = () => {
    asked ||= requestAnimationFrame(read);
  };
  const observer = new ResizeObserver(soon);
  observer.observe(box);
  box.addEventListener('scroll', soon, { passive: true });
  read();
  return () => {
    observer.disconnect();
    box.removeEventListener('scroll', soon);
    cancelAnimationFrame(asked);
  };
}
