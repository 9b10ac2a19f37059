import { defineModule } from '#libs/platform';
import type { LinkedPage } from './session/session-gate.js';

/** How a new user gets an account: freely, with an invitation code, or not at all. */
export type SignUp = 'open' | 'invite' | 'closed';

export interface AccountsOptions {
  readonly sessionLifetimes: { readonly idleMs: number; readonly maxMs: number };
  /** The application's pages that other sites link to; none by default. */
  readonly linkedPages?: readonly LinkedPage[];
  /** Visits per visitor and period, counted over the ceremonies and all OAuth paths together. */
  readonly rateLimit: { readonly max: number; readonly periodMs: number };
  /** A single-value header set by the trusted edge, read instead of `X-Forwarded-For`. */
  readonly clientAddressHeader?: string | undefined;
  /** What the default AccountPolicy allows; `open` by default. */
  readonly signUp?: SignUp;
}

/** `providers` has to bind BudgetReader and ActivityReader and may replace any default; `imports` brings their dependencies. */
export const { ConfigurableModuleClass, MODULE_OPTIONS_TOKEN: ACCOUNTS_OPTIONS } =
  defineModule<AccountsOptions>('Accounts');
