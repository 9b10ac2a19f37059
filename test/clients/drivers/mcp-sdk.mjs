import { UnauthorizedError } from '@modelcontextprotocol/sdk/client/auth.js';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { known } from './memory.mjs';
import { serve } from './outside.mjs';

serve(known, {
  UnauthorizedError,
  Transport: StreamableHTTPClientTransport,
  newClient: () => new Client({ name: 'outside', version: '1.0.0' }),
  finishAuth: (transport, callback) => transport.finishAuth(callback.get('code')),
  protocolOf: (_client, transport) => transport.protocolVersion,
});
