import type { Answer, Prepared, Question } from '../models/define.ts';

/** What a job may ask of the main thread. */
export interface Host {
  /** Answers of a model that lives in the main thread (`runsIn: 'main'`), by its place in the list of models. */
  answer(model: number, batch: Prepared[], questions: Question[]): Promise<Answer[]>;
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
