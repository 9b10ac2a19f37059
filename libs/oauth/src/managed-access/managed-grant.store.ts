import { Inject, Injectable } from '@nestjs/common';
import { DataSource, type EntityManager, IsNull } from 'typeorm';
import { generateId, UserStore } from '#libs/accounts';
import { column, PreparedStatement } from '#libs/platform';
import { AssertionStore } from '../client/assertion.store.js';
import { BASIC_CHALLENGE } from '../client/client-authentication.js';
import { recordClientUse } from '../client/client.store.js';
import { GrantEntity } from '../grant/grant.entity.js';
import { GRANT_LIFETIME_MS, type GrantParties, MAX_GRANTS_PER_USER } from '../grant/grant.js';
import { activeGrants, GrantStore, NO_MAX_AGE_MS, prolongedTo } from '../grant/grant.store.js';
import { OAUTH_OPTIONS, type OAuthOptions } from '../oauth.module-definition.js';
import { OAuthError } from '../oauth-error.js';
import { scopeWords } from '../scope.js';
import type { IssuedAccessToken } from '../provider/issue.js';
import { TokenStore } from '../token/token.store.js';
import { type IdentityAssertion, noAccess, usedBefore } from './identity-assertion.js';

/** What an assertion gives a client: the members of its grant. */
export type ManagedAccess = GrantParties &
  Pick<GrantEntity, 'scope' | 'published'> & { readonly managedBy: string };

/** A grant that an assertion began or prolonged, with what its person decided about it. */
export interface ManagedGrant
  extends ManagedAccess, Pick<GrantEntity, 'id' | 'createdAt' | 'permissions' | 'endsAt'> {
  readonly isNew: boolean;
}

interface Given {
  readonly grant: ManagedGrant;
  readonly issued: IssuedAccessToken;
  /** Ids of the grants that ended because the account had more than its limit. */
  readonly ended: readonly string[];
}

const PROLONG = new PreparedStatement<
  keyof Omit<ManagedAccess, 'published' | 'scope'> | 'usedAt' | 'maxAgeMs' | 'expiresAt'
>(
  'prolong-managed-grant',
  `UPDATE oauth_grants SET app = :app, client_hosts = :clientHosts,
     ${prolongedTo('CAST(:expiresAt AS bigint)')}
   WHERE user_id = :userId AND client_id = :clientId AND origin = :origin AND managed_by = :managedBy
     AND resource IS NOT DISTINCT FROM :resource AND revoked_at IS NULL AND expires_at > :usedAt
   RETURNING id, scope, created_at, permissions, ends_at`,
);

/** A key share lock: a deletion of the client waits for it, and it does not wait for the record of a use. */
const LOCK_CLIENT = new PreparedStatement<'id'>(
  'lock-managed-client',
  ({ type }) =>
    `SELECT 1 FROM oauth_clients WHERE id = :id ${type === 'postgres' ? 'FOR KEY SHARE' : ''}`,
);

/** The grants that trusted issuers decide about. */
@Injectable()
export class ManagedGrantStore {
  constructor(
    private readonly dataSource: DataSource,
    private readonly users: UserStore,
    private readonly assertions: AssertionStore,
    private readonly tokens: TokenStore,
    private readonly grants: GrantStore,
    @Inject(OAUTH_OPTIONS) private readonly options: Pick<OAuthOptions, 'grantMaxAgeMs'>,
  ) {}

  /** Whether an assertion was used; one that is used at this moment may be missed. */
  async wasUsed({ idHash }: Pick<IdentityAssertion, 'idHash'>): Promise<boolean> {
    return this.assertions.has(idHash);
  }

  /**
   * Uses up an assertion, begins or prolongs the account's grant by this issuer, and stores the token that `issue`
   * makes: all of it, or nothing. Of concurrent calls with one assertion one succeeds. Throws AssertionRefusal for one
   * that was used, and for an account that is disabled or full of grants of its own; OAuthError 401 for a client that
   * was deleted; a concurrent deletion ends the grant.
   */
  async give(
    { idHash, expiresAt }: Pick<IdentityAssertion, 'idHash' | 'expiresAt'>,
    access: ManagedAccess,
    issue: (grant: ManagedGrant, manager: EntityManager) => Promise<IssuedAccessToken>,
  ): Promise<Given> {
    const { userId, managedBy: name } = access;
    return this.dataSource.transaction(async (manager) => {
      if (!(await this.users.lockEnabled(manager, userId))) {
        throw noAccess({ name }, 'the account is disabled', userId);
      }
      if (!(await this.assertions.accept(idHash, expiresAt, manager))) throw usedBefore({ name });
      const now = Date.now();
      const grant =
        (await this.prolong(manager, access, now)) ?? (await this.begin(manager, access, now));
      if (!grant) {
        const reason = 'the account has as many connected apps of its own as it may';
        throw noAccess({ name }, reason, userId);
      }
      const issued = await issue(grant, manager);
      if (!(await this.tokens.insert(issued.token, manager))) {
        throw new Error('a grant ended while it was locked');
      }
      const ended = grant.isNew ? await this.grants.endSurplus(grant, manager) : [];
      // Last, in the lock order of a consent approval: avoids a deadlock.
      await recordClientUse(manager, access.clientId);
      await expectThere(manager, access);
      return { grant, issued, ended };
    });
  }

  private async prolong(manager: EntityManager, access: ManagedAccess, now: number) {
    const { scope, ...found } = access;
    const times = { usedAt: now, maxAgeMs: this.maxAgeMs, expiresAt: now + GRANT_LIFETIME_MS };
    const [row] = (await PROLONG.run(manager, { ...found, ...times })).rows;
    if (!row) return undefined;
    const id = column.text(row, 'id');
    await this.addScopes(manager, id, column.text(row, 'scope'), scope);
    return {
      ...access,
      id,
      createdAt: column.number(row, 'created_at'),
      permissions: column.textOrNull(row, 'permissions'),
      endsAt: column.numberOrNull(row, 'ends_at'),
      isNew: false,
    };
  }

  /** Its person decides about all that was ever given: a token has what its own assertion gave, until it expires. */
  private async addScopes(manager: EntityManager, id: string, before: string, given: string) {
    const scope = [...new Set([...scopeWords(before), ...scopeWords(given)])].join(' ');
    if (scope !== before) await manager.update(GrantEntity, { id }, { scope });
  }

  /** Undefined for an account that is full of grants of its own. */
  private async begin(manager: EntityManager, access: ManagedAccess, now: number) {
    const own = { userId: access.userId, managedBy: IsNull(), ...activeGrants() };
    const count = await manager.countBy(GrantEntity, own);
    if (count >= MAX_GRANTS_PER_USER) return undefined;
    const id = generateId();
    const expiresAt = now + Math.min(GRANT_LIFETIME_MS, this.maxAgeMs);
    await manager.insert(GrantEntity, {
      ...access,
      id,
      redirectHost: null,
      createdAt: now,
      lastUsedAt: now,
      expiresAt,
      sweepDueAt: expiresAt,
      revokedAt: null,
      familyHash: null,
      deliveredAt: null,
    });
    return { ...access, id, createdAt: now, permissions: null, endsAt: null, isNew: true };
  }

  private get maxAgeMs() {
    return this.options.grantMaxAgeMs ?? NO_MAX_AGE_MS;
  }
}

/** A client with a metadata document cannot be deleted. */
async function expectThere(manager: EntityManager, { clientId, published }: ManagedAccess) {
  if (published !== null) return;
  const { rows } = await LOCK_CLIENT.run(manager, { id: clientId });
  if (rows.length > 0) return;
  // As the library answers for a client that it does not find.
  const description = 'client authentication failed';
  throw new OAuthError(401, 'invalid_client', description, BASIC_CHALLENGE, 'client was deleted');
}
