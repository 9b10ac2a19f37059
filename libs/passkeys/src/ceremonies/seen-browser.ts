import type { Session } from '#libs/accounts';

/** Who performs a ceremony: the session that the request carried, and the browser in words. */
export interface SeenBrowser {
  readonly session: Session | undefined;
  readonly browser: string | null;
}
