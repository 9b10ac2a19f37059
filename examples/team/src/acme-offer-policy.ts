import { type AnyMcpCaller, type OfferedKind, OfferPolicy } from 'gatehouse/mcp';

/** What Acme keeps from accounts named Coyote. */
const HIDDEN: Readonly<Record<OfferedKind, string>> = {
  tool: 'acme_order',
  resource: 'acme_anvil',
  prompt: 'acme_birthday',
};

export class AcmeOfferPolicy extends OfferPolicy {
  async offered(names: readonly string[], { user }: AnyMcpCaller, kind: OfferedKind) {
    const isKnown = user?.displayName !== 'Coyote';
    return names.filter((name) => isKnown || name !== HIDDEN[kind]);
  }
}
