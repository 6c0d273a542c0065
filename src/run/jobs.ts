import type { Answer, Prepared, Question } from '../models/define.ts';

/** What a job may ask of the main thread. */
export interface Host {
  /** Answers of a model that lives in the main thread (`runsIn: 'main'`), by its place in the list of models. */
  answer(model: number, batch: Prepared[], questions: Question[]): Promise<Answer[]>;
}

/** The host as a job sees it. */
export interface JobHost extends Host {
  /** The user wants to stop: what is not begun is left for the next call. */
  isStopping(): boolean;
}

/** Thrown out of what is under way when the user wants to stop. */
export class Interrupted extends Error {
  override readonly name = 'Interrupted';
  constructor() {
    super('interrupted');
  }
}

export interface OpenJob<Task, Result> {
  /** `emit` hands over a part of the result before the end, so that a long task loses little to a kill. */
  run(task: Task, emit: (part: Result) => void): Promise<Result>;
  close(): Promise<void>;
}

/** Work that can be split over threads: opened once per thread, then fed tasks. Everything passed is structured-cloneable. */
export interface Job<Init, Task, Result, Settings = never, Early = never> {
  readonly name: string;
  /** Loads libraries, in a thread that was started before it is known what for. */
  loadEarly?(): Promise<unknown>;
  /** Opens what is known before there is a plan, while that is being made; `open` gets what comes back. */
  openEarly?(settings: Settings): Promise<Early>;
  open(init: Init, host: JobHost, early?: Early): Promise<OpenJob<Task, Result>>;
}

export const defineJob = <Init, Task, Result, Settings = never, Early = never>(
  job: Job<Init, Task, Result, Settings, Early>,
): Job<Init, Task, Result, Settings, Early> => job;
