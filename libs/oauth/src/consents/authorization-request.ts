/** An authorization request that passed every check, stored in a consent until the user answers. */
export interface AuthorizationRequest {
  readonly clientId: string;
  /** The app's name as the page shows it; the grant keeps it even if the client changes its name later. */
  readonly app: string;
  /** When the client was registered, in epoch seconds; undefined for a published client. */
  readonly registeredAt?: number | undefined;
  readonly redirectUri: string;
  /** The supported scopes that the client requested; undefined when it requested none of them. */
  readonly scopes: readonly string[] | undefined;
  readonly state?: string | undefined;
  readonly resource: string;
  readonly codeChallenge: string;
}
