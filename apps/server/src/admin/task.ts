import type { AdministrationServices } from '../administration/services.adapter.js';
import type { Output, RowStream } from './output.js';

/** Everything that can be done, and who does it. */
export interface Administration extends AdministrationServices {
  readonly actor: string;
  /** Aborted when what goes on without end has to stop. */
  interruption(): AbortSignal;
}

/** What a command line asks for. */
export interface Task {
  /** What to ask before `run`, for what cannot be taken back; fails as `run` would for an unknown id. */
  readonly question?: (administration: Administration) => Promise<string>;
  readonly run: (administration: Administration) => Promise<Output | RowStream>;
}

/** Options of every command. */
export interface CommonOptions {
  readonly json?: true;
  readonly yes?: true;
  /** Who does it, for the audit trail. */
  readonly actor?: string;
}

/** Carries a task out. */
export type Perform = (task: Task, options: CommonOptions) => Promise<void>;
