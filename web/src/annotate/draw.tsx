import './annotate.css';
import { useSignal } from '@preact/signals';
import { useEffect, useMemo, useRef, useState } from 'preact/hooks';
import { type AnnotateShow, type AnnotateTurn, annotateShows } from '../../../src/contracts/studio/annotate.ts';
import { notice } from '../api.ts';
import { useShortcuts } from '../keys.ts';
import type { PageProps } from '../pages.ts';
import { Loaded } from '../parts/state.tsx';
import { href, place, setQuery } from '../router.ts';
import { useData } from '../use-data.ts';
import { createEditor, type PictureBox, type Tool } from './editor.ts';
import { createHand } from './hand.ts';
import { Objects } from './objects.tsx';
import { loadLevels } from './paint.ts';
import { askCut, askFind, askPicture, askRefine, askTurn } from './requests.ts';
import { SavePanel } from './save-panel.tsx';
import { createSaving } from './saving.ts';
import { fade, isHidden, resize, tool } from './settings.ts';
import { Stage } from './stage.tsx';
import { ToolBar, toolWords } from './tool-bar.tsx';
import { fitView, type View, zoomView } from './view.ts';

export const showOf = (text: string | null): AnnotateShow => annotateShows.find((show) => show === text) ?? 'todo';

/** One picture and its mask. */
export function Draw({ params }: PageProps) {
  const { query } = place.value;
  const [sample, show] = [query.get('sample') ?? undefined, showOf(query.get('show'))];
  const turn = useData(`${params.dataset} ${sample ?? ''} ${show}`, (signal) =>
    askTurn(params.dataset, { sample, show }, signal),
  );
  const id = turn.data?.sample.id;
  useEffect(() => {
    if (id !== undefined && sample === undefined) setQuery({ sample: id }, { replace: true });
  }, [id, sample]);
  return (
    <section class="annotate">
      <h1 class="unseen">Draw a mask</h1>
      <Loaded of={turn}>
        {(found) => <Opened key={found.sample.id} dataset={params.dataset} turn={found} show={show} />}
      </Loaded>
    </section>
  );
}

function Opened({ dataset, turn, show }: { dataset: string; turn: AnnotateTurn; show: AnnotateShow }) {
  const levels = useData(`${dataset} ${turn.sample.id}`, async (signal) =>
    loadLevels(await askPicture(dataset, turn.sample.id, signal)),
  );
  return <Loaded of={levels}>{(found) => <Workbench {...{ dataset, turn, show }} levels={found} />}</Loaded>;
}

interface WorkbenchProps {
  readonly dataset: string;
  readonly turn: AnnotateTurn;
  readonly show: AnnotateShow;
  readonly levels: readonly ImageBitmap[];
}

const everyMs = 5000;

function Workbench({ dataset, turn, show, levels }: WorkbenchProps) {
  const { id } = turn.sample;
  const view = useSignal<View>({ scale: 1, x: 0, y: 0 });
  const stage = useSignal({ width: 1, height: 1 });
  const said = useSignal('');
  const [busy, setBusy] = useState('');
  /** The next picture is being loaded: keys pressed for it must not change this one. */
  const leaving = useRef(false);
  const { editor, saving, hand, work } = useMemo(() => {
    const editor = createEditor(turn);
    const saving = createSaving(dataset, turn, editor);
    let isBusy = false;
    const say = (text: string) => {
      said.value = text;
    };
    /** Runs something that the server computes; the mask cannot be changed until its result is there. */
    const work = async (doing: string, done: string, compute: () => Promise<void>) => {
      if (isBusy || leaving.current) return;
      isBusy = true;
      setBusy(doing);
      say(doing);
      try {
        await compute();
        say(done);
      } catch (error) {
        say((error as Error).message);
      } finally {
        isBusy = false;
        setBusy('');
      }
    };
    const cut = (box: PictureBox) =>
      void work(
        'Looking for the object in the box …',
        'Found; brush and eraser mend it, c cuts again with your strokes',
        async () => {
          editor.found('box', await askCut(dataset, id, turn, box), { box, isDrawn: true });
        },
      );
    const hand = createHand({
      editor,
      scale: () => view.value.scale,
      cut,
      say,
      isBusy: () => isBusy || leaving.current,
    });
    return { editor, saving, hand, work };
  }, []);
  const focusStage = () => document.querySelector<HTMLElement>('.stage')?.focus({ preventScroll: true });

  const cutAgain = () => {
    const known = editor.hints();
    if (!known) {
      said.value = 'Draw a box about the object first';
      return;
    }
    void work(
      'Cutting again, heeding your strokes …',
      `Cut again, ${known.strokes} ${known.strokes === 1 ? 'stroke' : 'strokes'} heeded`,
      async () => {
        editor.found('cut again', await askCut(dataset, id, turn, known.box, known.data), { box: known.box });
      },
    );
  };
  const find = () =>
    void work('Asking the model …', 'Found by the model', async () =>
      editor.found('found by the model', await askFind(dataset, id, turn)),
    );
  const refine = () =>
    void work('Matting the edge …', 'The edge is decided', async () =>
      editor.decide(await askRefine(dataset, id, editor)),
    );
  const undo = () => {
    if (leaving.current) return;
    said.value = `Undone: ${editor.undo() ?? 'nothing to undo'}`;
  };
  const redo = () => {
    if (leaving.current) return;
    said.value = `Done again: ${editor.redo() ?? 'nothing to do again'}`;
  };
  const choose = (next: Tool) => {
    hand.cancel();
    tool.value = next;
    said.value = toolWords[next].does;
    focusStage();
  };
  const zoom = (factor: number) => {
    const middle = { x: stage.value.width / 2, y: stage.value.height / 2 };
    view.value = zoomView(view.value, middle, factor, turn, stage.value);
  };
  const fit = () => {
    view.value = fitView(turn, stage.value);
  };
  /** Saves what is drawn before going to another picture; where that fails the page stays at this one. */
  const leave = async (to: string | null) => {
    if (editor.isDirty && !(await saving.save())) return;
    if (to === null) {
      said.value = 'That was the last one of these';
      return;
    }
    leaving.current = true;
    setQuery({ sample: to });
  };
  const chooseObject = (event: KeyboardEvent) => {
    editor.current.value = Math.min(Number(event.key), editor.objects.value.length);
    said.value = `Object ${editor.current.value}: ${editor.objects.value[editor.current.value - 1]}`;
  };

  useEffect(() => {
    const warn = (event: BeforeUnloadEvent) => {
      if (editor.isDirty) event.preventDefault();
    };
    addEventListener('beforeunload', warn);
    return () => {
      removeEventListener('beforeunload', warn);
      // The user left by a link of the page: unsaved drawing is saved rather than lost.
      if (editor.isDirty)
        void saving.save().then((done) => {
          notice.value = done ? '' : `${id} could not be saved: ${saving.problem.value || 'it was saved elsewhere'}`;
        });
    };
  }, [editor, saving, id]);
  useEffect(() => {
    const stopped = new AbortController();
    const look = () => document.hidden || saving.look(stopped.signal).catch(() => {});
    const timer = setInterval(look, everyMs);
    addEventListener('focus', look);
    return () => {
      stopped.abort();
      clearInterval(timer);
      removeEventListener('focus', look);
    };
  }, [saving]);

  useShortcuts('Draw', [
    ...Object.entries(toolWords).map(([each, { key, does }]) => ({ keys: key, does, run: () => choose(each as Tool) })),
    { keys: 'c', does: 'cut the last box again, heeding what you painted and erased since', run: cutAgain },
    { keys: 'm', does: 'decide the doubt by matting', run: refine },
    ...(turn.canFind ? [{ keys: 'a', does: 'let the salient-object model find it', run: find }] : []),
    { keys: '[ ]', does: 'smaller or larger brush', run: ({ key }) => resize(key === '[' ? 0.8 : 1.25) },
    { keys: ', .', does: 'fainter or stronger mask', run: ({ key }) => fade(key === ',' ? -0.1 : 0.1) },
    {
      keys: 'h',
      does: 'hide or show the mask',
      run: () => {
        isHidden.value = !isHidden.value;
      },
    },
    { keys: '+ = -', does: 'zoom', run: ({ key }) => zoom(key === '-' ? 1 / 1.4 : 1.4) },
    { keys: '0', does: 'the whole picture', run: fit },
    { keys: '1 2 3 4 5 6 7 8 9', does: 'draw this object', run: chooseObject },
    { keys: 'ctrl+z', does: 'undo', run: undo },
    { keys: 'ctrl+Z ctrl+y', does: 'redo', run: redo },
    { keys: 'ctrl+s', does: 'save', run: () => void saving.save() },
    { keys: 'n PageDown', does: 'save; next picture', run: () => void leave(turn.next) },
    { keys: 'N PageUp', does: 'save; picture before', run: () => void leave(turn.previous) },
  ]);
  useShortcuts('In the picture', [
    { keys: '← ↑ → ↓', does: 'move the crosshair (Shift: one pixel; Ctrl: move the picture)' },
    { keys: 'Enter', does: 'set a point or corner, fill, begin or end a stroke' },
    { keys: 'Backspace', does: 'take the last point back' },
    { keys: 'Escape', does: 'give up what is being drawn' },
    { keys: 'Space', does: 'hold it and drag: move the picture' },
    { keys: 'Wheel', does: 'zoom; two fingers pinch' },
  ]);

  const label = turn.sample.label?.trim() || 'object';
  return (
    <div class="workbench">
      <ToolBar choose={choose} zoom={zoom} fit={fit} scale={view.value.scale} />
      <div class="stage-column">
        <Stage {...{ editor, hand, levels, view, stage }} label={`Mask of ${id}`} />
        <p class="stage-line">
          <output aria-live="polite">{said.value}</output>
          {busy && <progress aria-label={busy} />}
        </p>
        <p class="unseen" id="stage-help">
          Arrows move a crosshair, Enter sets a point; ? lists all keys.
        </p>
      </div>
      <aside class="side" aria-label="This picture">
        <p class="side-title">
          <a href={href(['annotate', dataset], { show })}>All masks</a>{' '}
          <span class="soft">{turn.place === null ? '' : `${turn.place} of ${turn.of}`}</span>
        </p>
        <h2>{id}</h2>
        <p class="soft">
          {turn.width} × {turn.height}
          {turn.sample.label !== null && (
            <>
              {' '}
              · <b>{turn.sample.labelName}</b>
            </>
          )}
        </p>
        {turn.note && <p class="note">{turn.note}</p>}
        {saving.sample.value.doubts.length > 0 && (
          <ul class="doubts" aria-label="Doubts about the mask">
            {saving.sample.value.doubts.map((doubt) => (
              <li key={doubt}>{doubt}</li>
            ))}
          </ul>
        )}
        <Objects {...{ editor, label, focusStage }} labelName={turn.sample.labelName ?? label} />
        <div class="row-buttons">
          <button type="button" onClick={cutAgain} disabled={busy !== ''}>
            <kbd>c</kbd> Cut again
          </button>
          <button type="button" onClick={refine} disabled={busy !== ''}>
            <kbd>m</kbd> Matting
          </button>
          {turn.canFind && (
            <button type="button" onClick={find} disabled={busy !== ''}>
              <kbd>a</kbd> Find
            </button>
          )}
          <button type="button" onClick={undo} disabled={!editor.canUndo} title={editor.canUndo ?? ''}>
            Undo
          </button>
          <button type="button" onClick={redo} disabled={!editor.canRedo} title={editor.canRedo ?? ''}>
            Redo
          </button>
          <button type="button" onClick={editor.clear}>
            Clear
          </button>
        </div>
        <SavePanel saving={saving} file={turn.file} />
        <div class="row-buttons">
          <button type="button" onClick={() => void leave(turn.previous)} disabled={turn.previous === null}>
            <kbd>N</kbd> Before
          </button>
          <button type="button" onClick={() => void leave(turn.next)} disabled={turn.next === null}>
            <kbd>n</kbd> Next
          </button>
        </div>
      </aside>
    </div>
  );
}
