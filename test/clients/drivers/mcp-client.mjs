import {
  Client,
  StreamableHTTPClientTransport,
  UnauthorizedError,
} from '@modelcontextprotocol/client';
import { known } from './memory.mjs';
import { serve } from './outside.mjs';

serve(known, {
  UnauthorizedError,
  Transport: StreamableHTTPClientTransport,
  newClient: () =>
    new Client({ name: 'outside', version: '1.0.0' }, { versionNegotiation: { mode: 'auto' } }),
  finishAuth: (transport, callback) => transport.finishAuth(callback),
  protocolOf: (client) => client.getNegotiatedProtocolVersion(),
});
