import { ours } from '../driver/ours.mjs';
import { inMemory, other } from '../driver/peers.mjs';
import { exchange, Person, VERIFIER_CHALLENGE } from '../driver/person.mjs';
import { WORKERS } from '../driver/request-load.mjs';
import { inTurn } from '../driver/rounds.mjs';

/** Codes are made before; only their exchange is measured. */
function exchanging(server, stock) {
  const call = async (_worker, { clientId, code }) => {
    const { access_token: token } = await server.json(exchange(clientId, code));
    if (!token) throw new Error('no access token');
  };
  return Object.assign(call, { stock });
}

async function durable(server, options) {
  const apps = await Person.registerApps(server, options.stock);
  const people = await Person.signUp(server, WORKERS);
  return exchanging(server, async (worker, n) => {
    const clientId = apps[n];
    return { clientId, code: await people[worker].code(clientId) };
  });
}

const library = (server) =>
  exchanging(server, async () => {
    const { text } = await server.ask({ path: `/code?challenge=${VERIFIER_CHALLENGE}` });
    return { clientId: 'bench', code: text };
  });

export const row = inTurn({
  operation: '`POST token`, a code: with PKCE, the grant and both tokens on the disk',
  sides: [
    ...ours(
      { prepare: durable },
      {
        sqlite: { against: 'oidc-provider (in memory)' },
        postgres: { against: 'oidc-provider (in memory)', goals: { server: [400] } },
      },
    ),
    other({
      name: 'oidc-provider (in memory)',
      start: inMemory('oidc-provider'),
      prepare: library,
    }),
  ],
});
