import { RefusalError, type SecurityEvent } from '#libs/accounts';
import { epochSeconds } from '#libs/platform';
import { AccessRefusedError, NOT_GIVEN } from '../access-policy/access-decision.service.js';
import type { ChangedConnection, ConnectionChange } from '../grant/connection.store.js';
import type { GrantEntity } from '../grant/grant.entity.js';
import { type Permission, permissionsOf, type PausedBy } from '../grant/permission.js';
import { scopeWords } from '../scope.js';

/** A grant as its person sees it (contract, Connections); times are epoch seconds. */
export interface Connection {
  readonly id: string;
  readonly app: string;
  readonly redirectHost: string | null;
  readonly published: string | null;
  readonly resource: string;
  readonly resourceName: string;
  readonly managedBy: string | null;
  /** Of each scope of its resource, in their order. */
  readonly permissions: Readonly<Record<string, Permission>>;
  readonly mayAsk: boolean;
  readonly paused: boolean;
  readonly pausedBy: PausedBy;
  readonly dailyCredits: number | null;
  /** Null while it cannot be read. */
  readonly usedToday: number | null;
  readonly endsAt: number | null;
  readonly createdAt: number;
  readonly lastUsedAt: number;
  readonly expiresAt: number;
}

/** The permission of a scope that may never have been given. */
export const permissionOf = (grant: GrantEntity, scope: string): Permission =>
  permissionsOf(grant).get(scope) ?? 'off';

const FREEDOM: Readonly<Record<Permission, number>> = { off: 0, ask: 1, allow: 2 };

/** The scopes that an app may use more freely with these permissions. */
export const scopesWidened = (
  grant: GrantEntity,
  permissions: Readonly<Record<string, Permission>> = {},
): string[] =>
  Object.entries(permissions).flatMap(([scope, word]) =>
    FREEDOM[word] > FREEDOM[permissionOf(grant, scope)] ? [scope] : [],
  );

/** @throws AccessRefusedError for a permission that widens beyond what the access policy gives; undefined gives all */
export function expectGiven(
  grant: GrantEntity,
  { permissions }: ConnectionChange,
  given: readonly string[] | undefined,
): void {
  if (!given || scopesWidened(grant, permissions).every((scope) => given.includes(scope))) return;
  throw new AccessRefusedError(NOT_GIVEN);
}

/** Whether an app may do more after a change, or for longer. */
export function widens(grant: GrantEntity, change: ConnectionChange): boolean {
  const { permissions = {}, mayAsk, isPausedByPerson, dailyCredits, endsAt } = change;
  const isHigher = (limit: number | null | undefined, before: number | null) =>
    limit !== undefined && (limit ?? Infinity) > (before ?? Infinity);
  return (
    scopesWidened(grant, permissions).length > 0 ||
    (mayAsk === true && !grant.mayAsk) ||
    (isPausedByPerson === false && grant.isPausedByPerson) ||
    isHigher(dailyCredits, grant.dailyCredits) ||
    isHigher(endsAt, grant.endsAt)
  );
}

/** @throws RefusalError 400 for permissions of other scopes than these, and for what cannot be decided of them */
export function expectFitting(
  { resource, managedBy, scope: given }: GrantEntity,
  scopes: readonly string[],
  permissions: Readonly<Record<string, Permission>>,
): void {
  for (const [scope, word] of Object.entries(permissions)) {
    if (!scopes.includes(scope)) {
      throw new RefusalError(400, 'permissions names a scope that this connection cannot have');
    }
    if (word === 'ask' && resource !== null) {
      throw new RefusalError(400, 'calls of this resource cannot be asked about: allow or off');
    }
    if (managedBy !== null && !scopeWords(given).includes(scope)) {
      throw new RefusalError(400, 'permissions names a scope that this connection was not given');
    }
  }
}

/** What the trail is told of a change; undefined when nothing is different. */
export function eventOf(
  changed: Omit<ChangedConnection, 'committed'>,
  by: Pick<SecurityEvent, 'origin' | 'actor'>,
): SecurityEvent | undefined {
  const difference = differenceOf(changed);
  if (difference === '') return undefined;
  const { id: grantId, userId, clientId, app } = changed.grant;
  const facts = { changed: difference };
  return { type: 'connection-changed', userId, clientId, app, grantId, ...by, facts };
}

/** Such as `tabs:write=ask, paused=true`. */
export function differenceOf({ before, grant }: Omit<ChangedConnection, 'committed'>): string {
  const after = [...permissionsOf(grant), ...membersOf(grant)];
  const previous = new Map<string, unknown>([...permissionsOf(before), ...membersOf(before)]);
  return after
    .filter(([name, value]) => value !== (previous.get(name) ?? 'off'))
    .map(([name, value]) => `${name}=${value}`)
    .join(', ');
}

const membersOf = (grant: GrantEntity) =>
  [
    ['mayAsk', grant.mayAsk],
    ['paused', grant.isPausedByPerson],
    ['pausedByAdministrator', grant.isPausedByAdministrator],
    ['dailyCredits', grant.dailyCredits ?? 'none'],
    ['endsAt', grant.endsAt === null ? 'none' : epochSeconds(grant.endsAt)],
  ] as const;
