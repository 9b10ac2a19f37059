import { type AnyMcpCaller, ToolPolicy } from 'gatehouse/mcp';

/** Hides `acme_order` from accounts named Coyote. */
export class AcmeToolPolicy extends ToolPolicy {
  async offered(names: readonly string[], { user }: AnyMcpCaller) {
    const isKnown = user?.displayName !== 'Coyote';
    return names.filter((name) => isKnown || name !== 'acme_order');
  }
}
