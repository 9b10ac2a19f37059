import { describeMcpOAuth } from './mcp-oauth.contract.js';

describe('@modelcontextprotocol/sdk 1.x', () => {
  describeMcpOAuth('mcp-sdk', '2025-11-25');
});
