import { defineModule } from '#libs/platform';

/** How a new user gets an account: freely, with an invitation code, or not at all. */
export type SignUp = 'open' | 'invite' | 'closed';

/** A page that other sites link to: a cross-site document load of it may use the cookie. */
export interface LinkedPage {
  /** One that ends with `/*` stands for all paths below it. */
  readonly path: string;
  /**
   * Whether it has a form that posts to itself: a proxy's `Referrer-Policy: no-referrer` makes browsers send it with
   * `Origin: null`.
   */
  readonly takesForm?: boolean;
  /** Whether a GET without Fetch Metadata, of an older browser, may use the cookie whatever its `Referer`. */
  readonly withoutFetchMetadata?: boolean;
}

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
