import { defineModule } from '#libs/platform';
import type { SessionLifetimes } from './sessions/session.js';
import type { SignUp } from './sign-up/account-policy.js';

export interface AccountsOptions {
  readonly sessionLifetimes: SessionLifetimes;
  /** Visits a visitor may make in a period, over the ceremonies and all OAuth paths together. */
  readonly rateLimit: { readonly max: number; readonly periodMs: number };
  /** A single-value header from the trusted edge that replaces `X-Forwarded-For`. */
  readonly clientAddressHeader?: string | undefined;
  /** What AccountPolicy says unless it is replaced; `open` by default. */
  readonly signUp?: SignUp;
}

/** `providers` has to bind BudgetReader and may replace any default; `imports` brings what they need. */
export const { ConfigurableModuleClass, MODULE_OPTIONS_TOKEN: ACCOUNTS_OPTIONS } =
  defineModule<AccountsOptions>('Accounts');
