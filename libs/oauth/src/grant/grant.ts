import { resourceOf } from '../resource/resource.js';
import type { GrantEntity } from './grant.entity.js';

const MINUTE = 60 * 1000;
const DAY = 24 * 60 * MINUTE;

/** Lifetime of a code, and of a grant whose code is never exchanged. */
export const CODE_LIFETIME_MS = 10 * MINUTE;

/** Idle lifetime of refresh tokens and grants, restarted by every refresh. */
export const GRANT_LIFETIME_MS = 30 * DAY;

export const ACCESS_TOKEN_LIFETIME_MS = 60 * MINUTE;

/** Concurrent grants per user and client; beyond it the longest idle one ends. */
export const MAX_GRANTS_PER_CLIENT = 20;

/** Concurrent grants per user across all clients; beyond it the longest idle one of the app with the most ends. */
export const MAX_GRANTS_PER_USER = 100;

/** When a grant ends at the latest, however often it is used: by its greatest age, and by decision. */
export const latestEndOf = (
  { createdAt, endsAt }: Pick<GrantEntity, 'createdAt' | 'endsAt'>,
  grantMaxAgeMs = Infinity,
) => Math.min(createdAt + grantMaxAgeMs, endsAt ?? Infinity);

/** Whose grant it is, of which app, and for what. */
export type GrantParties = Pick<
  GrantEntity,
  'userId' | 'clientId' | 'app' | 'clientHosts' | 'origin' | 'resource'
>;

export const resourceOfGrant = ({ origin, resource }: Pick<GrantEntity, 'origin' | 'resource'>) =>
  resource ?? resourceOf(origin);
