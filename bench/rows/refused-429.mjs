import { onPostgresAndRedis, onSqlite, ours } from '../driver/ours.mjs';
import { inTurn } from '../driver/rounds.mjs';

const LIMITED = { variables: { RATE_LIMIT_MAX: '1', RATE_LIMIT_PERIOD: '86400' } };
const REQUEST = { method: 'POST', path: '/svc/auth/login/options', body: '{}' };

/** A visitor who has had all that there is for a day. */
async function overTheLimit(server) {
  await server.ask(REQUEST);
  return () => server.ask(REQUEST, 429);
}

export const row = inTurn({
  operation: 'refused, 429: the visitor is over the limit',
  sides: ours(
    { prepare: overTheLimit },
    {
      sqlite: { start: (stores) => onSqlite(stores, LIMITED) },
      postgres: {
        start: (stores) => onPostgresAndRedis(stores, LIMITED),
        goals: { server: [37, 20] },
      },
    },
  ),
});
