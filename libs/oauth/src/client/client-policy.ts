import type { ClientMetadata } from './client.js';

/** A client as a policy sees it; without `client_id` while it registers. */
export interface PolicyClient extends ClientMetadata {
  readonly client_id?: string;
}

/**
 * Decides which clients may ask users for access, beyond the rules of OAuth and the configuration.
 * Called at every registration and every authorization request; existing grants are not affected.
 * A promise that rejects fails closed: the request ends with an internal error.
 */
export abstract class ClientPolicy {
  static readonly portOf = 'oauth';

  /** Why the client is refused, as at most one sentence for users; undefined accepts the client. */
  abstract refusalOf(client: PolicyClient): Promise<string | undefined>;
}

/** Accepts every client: the user decides. */
export class OpenClientPolicy extends ClientPolicy {
  async refusalOf(): Promise<undefined> {
    return undefined;
  }
}
