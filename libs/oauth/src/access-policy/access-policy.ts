import type { ExternalIdentity } from '#libs/accounts';

/** The person whose account an app gets access to. */
export interface ConnectingPerson {
  readonly id: string;
  readonly displayName: string;
  /** When the account was created, in epoch milliseconds. */
  readonly createdAt: number;
  /** At other issuers, oldest link first; none for an account that has passkeys alone. */
  readonly identities: readonly ExternalIdentity[];
}

/** The app, as all steps know it. */
export interface ConnectingClient {
  readonly id: string;
  /** As its person sees it, chosen by the app: it proves nothing. */
  readonly name: string;
  /** The host that publishes the client, where its id is a URL; null for a registered one. */
  readonly published: string | null;
  /** The hosts that its redirect URIs lead to; registered by the app itself. */
  readonly redirectHosts: readonly string[];
}

export interface AccessRequest {
  readonly person: ConnectingPerson;
  readonly client: ConnectingClient;
  /** The resource of the grant, a URL. */
  readonly resource: string;
  /** What the app could have: each scope of the resource, or what a trusted issuer gives. */
  readonly scopes: readonly string[];
  /**
   * When it is asked: before the consent page is shown and at its answer; at the exchange of the code and at each
   * refresh; for each assertion of a trusted issuer; when the person lets a connected app do more, or says yes to a call.
   */
  readonly step: 'consent' | 'code' | 'refresh' | 'managed' | 'change';
}

/**
 * `allow` gives all of `scopes`; `scopes` narrows to those, and none refuses; `refusal` is one sentence for people, who
 * read it on the page, and for the app. With `endsConnection` a refusal at a code or refresh disconnects the app, whose
 * access tokens end at once; without it they end when their time is over, and the app may try again.
 */
export type AccessDecision =
  | 'allow'
  | { readonly scopes: readonly string[] }
  | { readonly refusal: string; readonly endsConnection?: boolean };

/**
 * Decides which apps a person may connect, and to what, beyond the person's own consent. Without a policy the person
 * decides alone. It fails closed: where it rejects, returns something else or takes longer than five seconds, after
 * which `signal` is aborted, nothing is given and the answer is 503. Machine clients, which have no person, are not
 * asked about.
 */
export abstract class AccessPolicy {
  static readonly portOf = 'oauth';

  abstract decide(request: AccessRequest, signal: AbortSignal): Promise<AccessDecision>;
}
