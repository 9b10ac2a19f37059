import { BetterAuthPerson, TOKEN_PATH } from '../driver/better-auth.mjs';
import { ours } from '../driver/ours.mjs';
import { comparedWith, durable, inMemory, other } from '../driver/peers.mjs';
import { exchange, Person, VERIFIER_CHALLENGE } from '../driver/person.mjs';
import { WORKERS } from '../driver/request-load.mjs';
import { inTurn } from '../driver/rounds.mjs';

/** Codes are made before; only their exchange is measured. */
function exchanging(server, stock, path) {
  const call = async (_worker, { clientId, code }) => {
    const { access_token: token } = await server.json(exchange(clientId, code, { path }));
    if (!token) throw new Error('no access token');
  };
  return Object.assign(call, { stock });
}

/** New people, so that no grant ends an older one, which the library alone does not do either. */
async function gatehouse(server) {
  const clientId = await Person.registerApp(server);
  return exchanging(server, async () => {
    const [person] = await Person.signUp(server, 1);
    return { clientId, code: await person.code(clientId) };
  });
}

async function betterAuth(server) {
  const people = await BetterAuthPerson.signUp(server, WORKERS);
  const { client_id: clientId } = (await people[0].clients()).app;
  const stock = async (worker) => ({ clientId, code: await people[worker].code(clientId) });
  return exchanging(server, stock, TOKEN_PATH);
}

const library = (server) =>
  exchanging(server, async () => {
    const { text } = await server.ask({ path: `/code?challenge=${VERIFIER_CHALLENGE}` });
    return { clientId: 'bench', code: text };
  });

const goals = [{ server: 1.1 }, { server: 0.8, stores: 0.67 }];

export const row = inTurn({
  operation: '`POST token`, a code: with PKCE, the grant and both tokens on the disk',
  sides: [
    ...ours({ prepare: gatehouse }, comparedWith({ 'better-auth': [], 'oidc-provider': goals })),
    ...durable('better-auth', 'better-auth', { prepare: betterAuth }),
    ...durable('oidc-provider', 'oidc-provider', { prepare: library }),
    other({
      name: 'oidc-provider in memory',
      start: inMemory('oidc-provider'),
      prepare: library,
    }),
  ],
});
