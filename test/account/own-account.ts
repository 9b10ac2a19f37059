import { DataSource } from 'typeorm';
import { Browser } from '../support/browser.js';
import type { Gatehouse } from '../support/gatehouse.js';
import { SoftAuthenticator } from '../support/soft-authenticator/index.js';

export const PASSKEYS = '/svc/me/passkeys';
export const SESSIONS = '/svc/me/sessions';

export interface ListedPasskey {
  readonly id: string;
  readonly name: string | null;
  readonly provider: string | null;
  readonly synced: boolean | null;
  readonly createdAt: number;
  readonly lastUsedAt: number | null;
  readonly current: boolean;
}

export interface ListedSession {
  readonly id: string;
  readonly browser: string | null;
  readonly createdAt: number;
  readonly lastSeenAt: number;
  readonly expiresAt: number;
  readonly current: boolean;
}

/** A new account, signed in. */
export async function signedUp(gatehouse: Gatehouse, name = 'Ann'): Promise<Browser> {
  const browser = new Browser(gatehouse);
  await browser.signUp(name);
  return browser;
}

/** The same account on a device of its own, which has a further passkey but no session of its own yet. */
export async function withFurtherPasskey(
  gatehouse: Gatehouse,
  browser: Browser,
  authenticator = SoftAuthenticator.synced(),
): Promise<Browser> {
  const device = new Browser(gatehouse, authenticator);
  device.cookie = browser.cookie;
  await device.addPasskey();
  device.cookie = undefined;
  return device;
}

export const passkeysOf = async (browser: Browser) =>
  (await browser.get(PASSKEYS)).json<{ passkeys: ListedPasskey[] }>().passkeys;

export const sessionsOf = async (browser: Browser) =>
  (await browser.get(SESSIONS)).json<{ sessions: ListedSession[] }>().sessions;

/** Makes the account's sessions as old as that, so that they are no longer fresh. */
export async function age(gatehouse: Gatehouse, browser: Browser, ageMs: number) {
  const { user } = await browser.me();
  const { manager } = gatehouse.app.get(DataSource);
  await manager.update('sessions', { userId: user?.id }, { createdAt: Date.now() - ageMs });
}

/** The types of what the audit trail has of the account, in the order it happened. */
export async function typesOf(gatehouse: Gatehouse, userId: string | undefined) {
  const { manager } = gatehouse.app.get(DataSource);
  const rows = await manager.find<{ userId: string; type: string; at: number; id: string }>(
    'audit_events',
    { where: { userId: userId ?? '' }, order: { at: 'ASC', id: 'ASC' } },
  );
  return rows.map(({ type }) => type);
}
