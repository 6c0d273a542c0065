import { signal } from '@preact/signals';
import type { AnnotatedSample, AnnotateTurn } from '../../../src/contracts/studio/annotate.ts';
import type { Editor } from './editor.ts';
import { askTurn, askVersion, type Overtaken, saveMask } from './requests.ts';

export type SaveState = 'saved' | 'unsaved' | 'saving' | 'failed';

/** What of a picture is on disk, and what another browser did meanwhile. */
export function createSaving(dataset: string, turn: AnnotateTurn, editor: Editor) {
  const { id } = turn.sample;
  let version = turn.version;
  let underWay: Promise<boolean> | undefined;
  const problem = signal('');
  const savedAt = signal(turn.savedAt);
  const sample = signal<AnnotatedSample>(turn.sample);
  const overtaken = signal<Overtaken | undefined>(undefined);
  const isSaving = signal(false);

  const send = async (): Promise<boolean> => {
    const sent = editor.revision.value;
    isSaving.value = true;
    try {
      const answer = await saveMask(dataset, id, editor, version);
      if ('overtaken' in answer) {
        overtaken.value = answer.overtaken;
        problem.value = '';
        return false;
      }
      version = answer.saved.version;
      savedAt.value = answer.saved.savedAt;
      sample.value = answer.saved.sample;
      editor.savedRevision.value = sent;
      problem.value = '';
      return true;
    } catch (error) {
      problem.value = (error as Error).message;
      return false;
    } finally {
      isSaving.value = false;
    }
  };

  return {
    problem,
    savedAt,
    sample,
    overtaken,
    get state(): SaveState {
      if (isSaving.value) return 'saving';
      if (problem.value) return 'failed';
      return editor.isDirty ? 'unsaved' : 'saved';
    },
    /**
     * True when what is seen is on disk. Saves run one after the other, since each needs the version that the one
     * before made.
     */
    save(): Promise<boolean> {
      const before = underWay ?? Promise.resolve(true);
      const mine = before.then(send, send);
      underWay = mine;
      return mine;
    },
    /** Takes over what the other browser saved, as a step that can be undone. */
    async takeTheirs(): Promise<void> {
      const theirs = await askTurn(dataset, { sample: id, show: 'all' });
      editor.replace('take what was saved elsewhere', theirs);
      editor.savedRevision.value = editor.revision.value;
      version = theirs.version;
      savedAt.value = theirs.savedAt;
      sample.value = theirs.sample;
      overtaken.value = undefined;
    },
    /** Overwrites what the other browser saved, after the user has been told of it. */
    async saveOver(): Promise<boolean> {
      version = overtaken.value?.version ?? version;
      overtaken.value = undefined;
      return this.save();
    },
    /** Whether another browser saved meanwhile. */
    async look(signal: AbortSignal): Promise<void> {
      if (isSaving.value) return;
      const known = version;
      const there = await askVersion(dataset, id, signal);
      if (known === version && !isSaving.value && there.version !== version) overtaken.value = there;
    },
  };
}
export type Saving = ReturnType<typeof createSaving>;
