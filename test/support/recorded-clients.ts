const BOTH = ['authorization_code', 'refresh_token'];

// Registrations as real clients send them.

export const CLAUDE = {
  client_name: 'Claude',
  redirect_uris: ['https://claude.ai/api/mcp/auth_callback'],
  grant_types: BOTH,
  response_types: ['code'],
  token_endpoint_auth_method: 'none',
  scope: 'claudeai',
};

export const CLAUDE_CODE = {
  client_name: 'Claude Code (gatehouse)',
  redirect_uris: ['http://localhost:54212/callback'],
  grant_types: BOTH,
  response_types: ['code'],
  token_endpoint_auth_method: 'none',
};

export const CURSOR = {
  client_name: 'Cursor',
  redirect_uris: ['cursor://anysphere.cursor-mcp/oauth/callback', 'http://localhost:8787/callback'],
  grant_types: BOTH,
  response_types: ['code'],
  token_endpoint_auth_method: 'none',
};

export const VS_CODE = {
  client_name: 'Visual Studio Code',
  client_uri: 'https://code.visualstudio.com',
  grant_types: [...BOTH, 'urn:ietf:params:oauth:grant-type:device_code'],
  response_types: ['code'],
  redirect_uris: [
    'https://insiders.vscode.dev/redirect',
    'https://vscode.dev/redirect',
    'http://127.0.0.1/',
    'http://127.0.0.1:33418/',
  ],
  token_endpoint_auth_method: 'none',
  application_type: 'native',
  scope: 'account:read offline_access',
};

export const CHATGPT = {
  client_name: 'ChatGPT',
  redirect_uris: ['https://chatgpt.com/connector_platform_oauth_redirect'],
  grant_types: BOTH,
  response_types: ['code'],
  token_endpoint_auth_method: 'client_secret_post',
};

export const INSPECTOR = {
  client_name: 'MCP Inspector',
  client_uri: 'https://github.com/modelcontextprotocol/inspector',
  redirect_uris: [
    'http://localhost:6274/oauth/callback',
    'http://localhost:6274/oauth/callback/debug',
  ],
  grant_types: BOTH,
  response_types: ['code'],
  token_endpoint_auth_method: 'none',
  scope: '',
};
