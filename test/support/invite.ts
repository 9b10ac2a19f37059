import { InviteStore } from '#libs/accounts';
import type { Service } from './service.js';

const DAY_MS = 24 * 60 * 60 * 1000;

export interface Invite {
  readonly id: string;
  /** The code that people type, and that `Browser.signUp` accepts as `invite`. */
  readonly code: string;
}

/** An invite for one account, valid for a day, in a service with `SIGN_UP=invite`. */
export async function createInvite(
  { app }: Pick<Service, 'app'>,
  { uses = 1, lifetimeMs = DAY_MS }: { readonly uses?: number; readonly lifetimeMs?: number } = {},
): Promise<Invite> {
  const expiresAt = Date.now() + lifetimeMs;
  const invites = app.get(InviteStore, { strict: false });
  const { id, code } = await invites.create({ uses, expiresAt, createdBy: 'test' });
  return { id, code };
}
