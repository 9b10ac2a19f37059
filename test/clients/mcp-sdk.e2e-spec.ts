import { describeMcpOAuth } from './mcp-oauth.contract.js';
import { describeMcpTools } from './mcp-tools.contract.js';

describe('@modelcontextprotocol/sdk 1.x', () => {
  describeMcpOAuth('mcp-sdk', '2025-11-25');
  describeMcpTools('mcp-sdk', { stepsUp: false });
});
