import { Admin } from '../support/admin.js';
import { Browser } from '../support/browser.js';
import type { Gatehouse } from '../support/gatehouse.js';
import { SoftAuthenticator } from '../support/soft-authenticator/index.js';

/** How long a session counts as fresh. */
export const FRESH_MS = 10 * 60_000;

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

/** The same account on another device, with a passkey of its own but no session yet. */
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

/** The types of the account's audit rows, as an administrator reads them, in chronological order. */
export async function typesOf(gatehouse: Gatehouse, userId: string | undefined) {
  const args = ['audit', 'list', '--user', userId ?? ''];
  const { items } = await new Admin(gatehouse).json<{ items: { type: string }[] }>(...args);
  return items.map(({ type }) => type).toReversed();
}

/** A recovery link that an administrator creates. */
export async function recoveryLinkOf(gatehouse: Gatehouse, userId: string): Promise<string> {
  const args = ['users', 'recover', userId, '--origin', gatehouse.origin];
  const { link } = await new Admin(gatehouse).json<{ link: string }>(...args);
  return link;
}
