import type { AppsAdministrationService } from '../administration/apps-administration.service.js';
import type { AuditAdministrationService } from '../administration/audit-administration.service.js';
import type { BlocksAdministrationService } from '../administration/blocks-administration.service.js';
import type { BudgetAdministrationService } from '../administration/budget-administration.service.js';
import type { ClientsAdministrationService } from '../administration/clients-administration.service.js';
import type { InvitesAdministrationService } from '../administration/invites-administration.service.js';
import type { RecoveryAdministrationService } from '../administration/recovery-administration.service.js';
import type { UsersAdministrationService } from '../administration/users-administration.service.js';
import type { Output, RowStream } from './output.js';

/** Everything that can be done, and who does it. */
export interface Administration {
  readonly actor: string;
  readonly apps: AppsAdministrationService;
  readonly audit: AuditAdministrationService;
  readonly blocks: BlocksAdministrationService;
  readonly budgets: BudgetAdministrationService;
  readonly clients: ClientsAdministrationService;
  readonly invites: InvitesAdministrationService;
  readonly recovery: RecoveryAdministrationService;
  readonly users: UsersAdministrationService;
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
}

/** Carries a task out. */
export type Perform = (task: Task, options: CommonOptions) => Promise<void>;
