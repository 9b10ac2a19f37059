import type { AnyMcpCaller } from './call.js';

export type OfferedKind = 'tool' | 'resource' | 'prompt';

/**
 * Decides which tools, resources and prompts a caller has, beyond the scopes: called for every list, with the names that
 * the caller may use or ask for, for every call, and for suggested values; tools of pages and machine clients, which
 * have no `user`, included. A resource goes by the `name` that it is declared with, whatever the variables of its uri;
 * those of the account by that of their template. What is left out is not listed, and a call of it is answered as if it
 * did not exist. A promise that rejects fails closed, with an internal error.
 */
export abstract class OfferPolicy {
  static readonly portOf = 'mcp';

  /** The subset of `names`, all of one kind, that this caller has. */
  abstract offered(
    names: readonly string[],
    caller: AnyMcpCaller,
    kind: OfferedKind,
  ): Promise<readonly string[]>;
}

export class OpenOfferPolicy extends OfferPolicy {
  async offered(names: readonly string[]): Promise<readonly string[]> {
    return names;
  }
}

/** Those of the entries that the caller has. The policy is not asked about an empty list. */
export async function offeredOf<Entry extends { readonly name: string }>(
  policy: OfferPolicy,
  entries: readonly Entry[],
  caller: AnyMcpCaller,
  kind: OfferedKind,
): Promise<readonly Entry[]> {
  if (entries.length === 0) return entries;
  const names = entries.map(({ name }) => name);
  const offered = new Set(await policy.offered(names, caller, kind));
  return entries.filter(({ name }) => offered.has(name));
}
