import type { Session } from '#libs/accounts';

/** The client of a ceremony: the session that the request carried, and the browser's display name. */
export interface SeenBrowser {
  readonly session: Session | undefined;
  readonly browser: string | null;
}
