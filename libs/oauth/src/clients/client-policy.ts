import type { ClientMetadata } from './client-metadata.js';

/** A client as a policy sees it; without `client_id` it is about to register. */
export interface PolicyClient extends ClientMetadata {
  readonly client_id?: string;
}

/**
 * Which clients may turn to the users of this service, beyond what OAuth and the configuration demand.
 * Asked at every registration and every authorization request; what was granted before goes on.
 * A policy that rejects fails closed: the request ends as an internal error.
 */
export abstract class ClientPolicy {
  static readonly portOf = 'oauth';

  /** Why the client is refused, for people, at most a sentence; undefined lets it through. */
  abstract refusalOf(client: PolicyClient): Promise<string | undefined>;
}

/** Lets every client through: its user decides. */
export class OpenClientPolicy extends ClientPolicy {
  async refusalOf(): Promise<undefined> {
    return undefined;
  }
}
