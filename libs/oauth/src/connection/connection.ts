import { epochSeconds } from '#libs/platform';
import type { ChangedConnection, ConnectionChange } from '../grant/connection.store.js';
import type { GrantEntity } from '../grant/grant.entity.js';
import { type Permission, permissionsOf, type PausedBy } from '../grant/permission.js';

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

/** Whether an app may do more after a change, or for longer. */
export function widens(grant: GrantEntity, change: ConnectionChange): boolean {
  const { permissions = {}, mayAsk, isPausedByPerson, dailyCredits, endsAt } = change;
  const isHigher = (limit: number | null | undefined, before: number | null) =>
    limit !== undefined && (limit ?? Infinity) > (before ?? Infinity);
  return (
    Object.entries(permissions).some(
      ([scope, word]) => FREEDOM[word] > FREEDOM[permissionOf(grant, scope)],
    ) ||
    (mayAsk === true && !grant.mayAsk) ||
    (isPausedByPerson === false && grant.isPausedByPerson) ||
    isHigher(dailyCredits, grant.dailyCredits) ||
    isHigher(endsAt, grant.endsAt)
  );
}

/** What a change came to, for the trail: `tabs:write=ask, paused=true`; empty when nothing is different. */
export function differenceOf({ before, grant }: ChangedConnection): string {
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
    ['paused', grant.isPausedByPerson || grant.isPausedByAdministrator],
    ['dailyCredits', grant.dailyCredits ?? 'none'],
    ['endsAt', grant.endsAt === null ? 'none' : epochSeconds(grant.endsAt)],
  ] as const;
