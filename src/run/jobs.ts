import type { Answer, Prepared, Question } from '../models/define.ts';

/** What a job may ask of the main thread. */
export interface Host {
  /** Answers of a model that lives in the main thread (`runsIn: 'main'`), by its place in the list of models. */
  ask(model: number, batch: Prepared[], questions: Question[]): Promise<Answer[]>;
}

export interface OpenJob<Task, Result> {
  run(task: Task): Promise<Result>;
  close(): Promise<void>;
}

/** Work that can be split over threads: opened once per thread, then fed tasks. Everything passed is structured-cloneable. */
export interface Job<Init, Task, Result> {
  readonly name: string;
  open(init: Init, host: Host): Promise<OpenJob<Task, Result>>;
}

export const defineJob = <Init, Task, Result>(job: Job<Init, Task, Result>): Job<Init, Task, Result> => job;

type AnyJob = Job<never, never, unknown>;

/** The jobs a worker thread knows, loaded when first asked for. */
export const jobs: Record<string, () => Promise<AnyJob>> = {
  render: async () => (await import('./render-job.ts')).renderJob as AnyJob,
  masks: async () => (await import('./masks-job.ts')).masksJob as AnyJob,
  pictures: async () => (await import('./pictures-job.ts')).picturesJob as AnyJob,
  predict: async () => (await import('./predict-job.ts')).predictJob as AnyJob,
};
