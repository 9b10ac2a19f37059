import { describeMcpOAuth } from './mcp-oauth.contract.js';
import { describeMcpTools } from './mcp-tools.contract.js';

describe('@modelcontextprotocol/client 2.x', () => {
  describeMcpOAuth('mcp-client', '2026-07-28');
  describeMcpTools('mcp-client', { stepsUp: true });
});
