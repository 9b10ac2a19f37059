/** An authorization request that passed every check; it waits in a consent for the user's answer. */
export interface AuthorizationRequest {
  readonly clientId: string;
  /** The app's name as the page shows it; a grant keeps it, whatever the client is called later. */
  readonly app: string;
  /** When the client registered itself, in epoch seconds; undefined when it has a document. */
  readonly registeredAt?: number | undefined;
  readonly redirectUri: string;
  /** The supported scopes that were asked for; undefined when the client named none at all. */
  readonly scopes: readonly string[] | undefined;
  readonly state?: string | undefined;
  readonly resource: string;
  readonly codeChallenge: string;
}
