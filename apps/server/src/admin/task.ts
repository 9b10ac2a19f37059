import type { AdministrationServices } from '../administration/administration.module.js';
import type { Output, RowStream } from './output.js';

/** The administration services, and the actor who uses them. */
export interface Administration extends AdministrationServices {
  readonly actor: string;
  /** Aborted when a command that runs without end has to stop. */
  interruption(): AbortSignal;
}

/** The work that a command line asks for. */
export interface Task {
  /**
   * The question to confirm before `run` where the change cannot be undone; fails as `run` would for an unknown id.
   */
  readonly question?: (administration: Administration) => Promise<string>;
  readonly run: (administration: Administration) => Promise<Output | RowStream>;
}

/** Options of every command. */
export interface CommonOptions {
  readonly json?: true;
  readonly yes?: true;
  /** The actor, for the audit trail. */
  readonly actor?: string;
}

/** Runs a task. */
export type Perform = (task: Task, options: CommonOptions) => Promise<void>;
