import { mcpRequest } from '../driver/app-call.mjs';
import { ours } from '../driver/ours.mjs';
import { inTurn } from '../driver/rounds.mjs';

const UNKNOWN = 'A'.repeat(43);

const refusals = (server) => () => server.ask(mcpRequest('tools/list', {}, UNKNOWN), 401);

export const row = inTurn({
  operation: 'refused, 401: an unknown bearer token',
  sides: ours({ prepare: refusals }, { postgres: { goals: { server: [70, 20] } } }),
});
