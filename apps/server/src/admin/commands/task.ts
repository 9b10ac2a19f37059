import type { Type } from '@nestjs/common';
import type { JsonStream, Output, RowStream } from './output.js';

export interface TaskContext {
  get<Controller>(type: Type<Controller>): Controller;
  readonly actor: string;
  interruption(): AbortSignal;
}

export interface Task {
  /** The question to confirm before `run`; fails as `run` would for an unknown id. */
  readonly question: ((to: TaskContext) => Promise<string>) | undefined;
  readonly run: (to: TaskContext) => Promise<Output | RowStream | JsonStream>;
}

export interface CommonOptions {
  readonly json?: true;
  readonly yes?: true;
  readonly actor?: string;
}

export type Perform = (task: Task, options: CommonOptions) => Promise<void>;

export class ArgumentError extends Error {
  override name = 'ArgumentError';
}
