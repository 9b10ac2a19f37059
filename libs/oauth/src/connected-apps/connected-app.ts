import type { GrantEntity } from '../grant/grant.entity.js';

/** A connected app as its user sees it (contract, Connected app); times are epoch seconds. */
export interface ConnectedApp {
  readonly id: string;
  readonly app: string;
  readonly redirectHost: string | null;
  readonly published: string | null;
  readonly scope: readonly string[];
  readonly createdAt: number;
  readonly expiresAt: number | null;
}

export const toConnectedApp = (grant: GrantEntity): ConnectedApp => ({
  id: grant.id,
  app: grant.app || grant.clientId,
  redirectHost: grant.redirectHost,
  published: grant.published,
  scope: grant.scope.split(' ').filter(Boolean),
  createdAt: Math.floor(grant.createdAt / 1000),
  expiresAt: Math.floor(grant.expiresAt / 1000),
});
