import { mcpRequest } from '../driver/app-call.mjs';
import { ours } from '../driver/ours.mjs';
import { inTurn } from '../driver/rounds.mjs';

const UNKNOWN = 'A'.repeat(43);

export const row = inTurn({
  operation: 'a refusal, 401: a bearer token that nobody was given',
  sides: ours((server) => () => server.ask(mcpRequest('tools/list', {}, UNKNOWN), 401), {
    postgres: { goals: { server: [70, 20] } },
  }),
});
