import { type McpCaller, ToolPolicy } from 'gatehouse/mcp';

/** Nobody of the name orders for the company. */
export class AcmeToolPolicy extends ToolPolicy {
  async offered(names: readonly string[], { user }: McpCaller) {
    const isKnown = user.displayName !== 'Coyote';
    return names.filter((name) => isKnown || name !== 'acme_order');
  }
}
