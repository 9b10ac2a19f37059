import type { Type } from '@nestjs/common';
import type { Output, RowStream } from './output.js';

/** The running controllers of administration, and the actor who uses them. */
export interface Administration {
  get<Controller>(type: Type<Controller>): Controller;
  readonly actor: string;
  /** Aborted when a command that runs without end has to stop. */
  interruption(): AbortSignal;
}

/** The work that a command line asks for. */
export interface Task {
  /** The question to confirm before `run`; fails as `run` would for an unknown id. */
  readonly question: ((to: Administration) => Promise<string>) | undefined;
  readonly run: (to: Administration) => Promise<Output | RowStream>;
}

export interface CommonOptions {
  readonly json?: true;
  readonly yes?: true;
  /** The actor, for the audit trail. */
  readonly actor?: string;
}

export type Perform = (task: Task, options: CommonOptions) => Promise<void>;

/** Describes an invalid argument to the operator who typed it. */
export class ArgumentError extends Error {
  override name = 'ArgumentError';
}
