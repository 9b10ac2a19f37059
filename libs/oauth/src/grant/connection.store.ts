import { Injectable } from '@nestjs/common';
import { DataSource, type EntityManager } from 'typeorm';
import { activeSessionValues, type Session, sessionIsActive, signInFirst } from '#libs/accounts';
import { PreparedStatement } from '#libs/platform';
import { scopeWords } from '../scope.js';
import { CODE_LIFETIME_MS, GRANT_LIFETIME_MS, latestEndOf } from './grant.js';
import { GrantEntity } from './grant.entity.js';
import { activeGrants, SELECT_GRANT_FOR_UPDATE } from './grant.store.js';
import { type Permission, permissionsText } from './permission.js';

/** What a person or an administrator decides about a connection: of a grant, the members that are given. */
export interface ConnectionChange extends Partial<
  Pick<
    GrantEntity,
    'mayAsk' | 'isPausedByPerson' | 'isPausedByAdministrator' | 'dailyCredits' | 'endsAt'
  >
> {
  /** By scope; the others keep theirs. */
  readonly permissions?: Readonly<Record<string, Permission>> | undefined;
}

export interface ChangedConnection {
  readonly before: GrantEntity;
  readonly grant: GrantEntity;
  /** To call once the transaction is committed. */
  readonly committed: () => void;
}

/** What the service knows of grants beyond the database; the command line, which only narrows, does without. */
export interface ConnectionLimits {
  readonly grantMaxAgeMs?: number | undefined;
  /** The names of the scopes of a grant's resource, in their order. */
  scopesFor(grant: GrantEntity): readonly string[];
}

/** Decides by the grant as it is, in the transaction that has locked it. */
type Decision = (
  grant: GrantEntity,
  manager: EntityManager,
) => ConnectionChange | Promise<ConnectionChange>;

type ChangeHook = (
  manager: EntityManager,
  grant: GrantEntity,
  change: ConnectionChange,
) => Promise<() => void>;

const HOLD_SESSION = new PreparedStatement<keyof ReturnType<typeof activeSessionValues>>(
  'hold-deciding-session',
  (dialect) => `SELECT 1 WHERE ${sessionIsActive(dialect)}`,
);

/**
 * Keeps the session of a decision until the transaction ends. Locks the account: call it before grants are locked.
 * @throws RefusalError 401 when the session has ended since it was read
 */
export async function holdSession(manager: EntityManager, session: Session): Promise<void> {
  const { rows } = await HOLD_SESSION.run(manager, activeSessionValues(session));
  if (rows.length === 0) throw signInFirst();
}

/** Changes of grants by the decision of their person or an administrator. */
@Injectable()
export class ConnectionStore {
  private limits: ConnectionLimits = { scopesFor: () => [] };
  private readonly hooks: ChangeHook[] = [];

  constructor(private readonly dataSource: DataSource) {}

  within(limits: ConnectionLimits): void {
    this.limits = limits;
  }

  /**
   * Adds a step to the transaction of each change; it gets the changed grant, whose row is locked. What it returns runs
   * once that is committed.
   */
  afterChange(hook: ChangeHook): void {
    this.hooks.push(hook);
  }

  /**
   * Changes an active grant, or nothing when it is not active (undefined) or `change` throws. Changes of one grant wait
   * for each other; a function decides by the grant as it is then. A scope that was never given is added to a grant
   * that its person consented to; one of a trusted issuer stays within what the issuer gives. In a transaction (`on`),
   * change the grant before you lock what belongs to it, as this does: it avoids deadlocks; call `committed` after it.
   */
  async change(
    id: string,
    change: ConnectionChange | Decision,
    on?: EntityManager,
  ): Promise<ChangedConnection | undefined> {
    if (!on) return this.inTransaction((manager) => this.change(id, change, manager));
    await SELECT_GRANT_FOR_UPDATE.run(on, { id });
    const before = await on.findOneBy(GrantEntity, { id, ...activeGrants() });
    if (!before) return undefined;
    const decided = typeof change === 'function' ? await change(before, on) : change;
    const { permissions = {}, ...members } = decided;
    const changes = {
      ...members,
      ...this.withPermissions(before, permissions),
      ...(members.endsAt !== undefined && {
        expiresAt: this.expiryOf(before, members.endsAt),
        sweepDueAt: 0,
      }),
    };
    await on.update(GrantEntity, { id }, changes);
    const grant = { ...before, ...changes };
    const after: (() => void)[] = [];
    for (const hook of this.hooks) after.push(await hook(on, grant, decided));
    return { before, grant, committed: () => after.forEach((run) => run()) };
  }

  /** As `change`, by the person of a session. @throws RefusalError 401 when it has ended since it was read */
  async changeBy(session: Session, id: string, change: Decision) {
    return this.inTransaction(async (manager) => {
      await holdSession(manager, session);
      return this.change(id, change, manager);
    });
  }

  private async inTransaction(
    run: (manager: EntityManager) => Promise<ChangedConnection | undefined>,
  ) {
    const changed = await this.dataSource.transaction(run);
    changed?.committed();
    return changed;
  }

  private withPermissions(grant: GrantEntity, changed: Readonly<Record<string, Permission>>) {
    const given = new Set(scopeWords(grant.scope));
    const kept: Record<string, Permission> = JSON.parse(grant.permissions ?? '{}');
    const words = new Map(Object.entries(kept));
    for (const [scope, word] of Object.entries(changed)) {
      if (!given.has(scope)) {
        if (word === 'off' || grant.managedBy !== null) continue;
        given.add(scope);
      }
      words.set(scope, word);
    }
    const inOrder = this.limits.scopesFor(grant).filter((name) => given.has(name));
    const scope = [...new Set([...inOrder, ...given])].join(' ');
    return { scope, permissions: permissionsText(words) };
  }

  /**
   * When it ends unless it is used before: as at its last use, but with this end. An earlier end gives no time, also
   * where the greatest age is not known.
   */
  private expiryOf(grant: GrantEntity, endsAt: number | null): number {
    const { createdAt, lastUsedAt, familyHash, managedBy, expiresAt } = grant;
    const isEarlier = endsAt !== null && endsAt <= (grant.endsAt ?? Infinity);
    const isInUse = familyHash !== null || managedBy !== null;
    return Math.min(
      isInUse ? lastUsedAt + GRANT_LIFETIME_MS : createdAt + CODE_LIFETIME_MS,
      latestEndOf({ createdAt, endsAt }, this.limits.grantMaxAgeMs),
      isEarlier ? expiresAt : Infinity,
    );
  }
}
