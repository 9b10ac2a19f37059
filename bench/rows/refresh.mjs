import { BetterAuthPerson, TOKEN_PATH } from '../driver/better-auth.mjs';
import { ours } from '../driver/ours.mjs';
import { comparedWith, durable, inMemory, other } from '../driver/peers.mjs';
import { exchange, Person, refresh, VERIFIER_CHALLENGE } from '../driver/person.mjs';
import { WORKERS } from '../driver/request-load.mjs';
import { inTurn } from '../driver/rounds.mjs';

/** Every worker refreshes with the token that the last answer brought. */
function chains(server, clientId, tokens, path) {
  const latest = tokens.map((response) => response.refresh_token);
  return async (worker) => {
    const response = await server.json(refresh(clientId, latest[worker], path));
    if (response.refresh_token === latest[worker]) throw new Error('the token was not rotated');
    latest[worker] = response.refresh_token;
  };
}

async function gatehouse(server) {
  const clientId = await Person.registerApp(server);
  const people = await Person.signUp(server, WORKERS);
  const tokens = await Promise.all(people.map((person) => person.connect(clientId)));
  return chains(server, clientId, tokens);
}

async function betterAuth(server) {
  const people = await BetterAuthPerson.signUp(server, WORKERS);
  const { client_id: clientId } = (await people[0].clients()).app;
  const tokens = await Promise.all(people.map((person) => person.connect(clientId)));
  return chains(server, clientId, tokens, TOKEN_PATH);
}

async function library(server) {
  const connect = async () => {
    const { text } = await server.ask({ path: `/code?challenge=${VERIFIER_CHALLENGE}` });
    return server.json(exchange('bench', text));
  };
  return chains(server, 'bench', await Promise.all(Array.from({ length: WORKERS }, connect)));
}

const goals = [{ server: 1.4 }, { server: 1, stores: 0.67 }];

export const row = inTurn({
  operation: '`POST token`, a refresh: the token is rotated, and what is answered is on the disk',
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
