import { defineModule } from '#libs/platform';
import type { SessionLifetimes } from './session/session.js';

export interface AccountsOptions {
  readonly sessionLifetimes: SessionLifetimes;
  /** Visits per visitor and period, counted over the ceremonies and all OAuth paths together. */
  readonly rateLimit: { readonly max: number; readonly periodMs: number };
  /** A single-value header set by the trusted edge, read instead of `X-Forwarded-For`. */
  readonly clientAddressHeader?: string | undefined;
  /** What the default AccountPolicy allows; `open` by default. */
  readonly signUp?: 'open' | 'invite' | 'closed';
}

/** `providers` has to bind BudgetReader and ActivityReader and may replace any default; `imports` brings their dependencies. */
export const { ConfigurableModuleClass, MODULE_OPTIONS_TOKEN: ACCOUNTS_OPTIONS } =
  defineModule<AccountsOptions>('Accounts');
