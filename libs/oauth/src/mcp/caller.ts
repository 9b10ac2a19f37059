import type { AccessGrant } from '../grants/access-tokens.service.js';
import type { McpCaller } from './tools/mcp-tool.js';

export const callerOf = ({ user, app, grantId, scopes }: AccessGrant): McpCaller => ({
  user,
  app,
  grantId,
  scopes,
  props: { userId: user.id, app },
});
