import { ours } from '../driver/ours.mjs';
import { inMemory, other } from '../driver/peers.mjs';
import { exchange, Person, refresh, VERIFIER_CHALLENGE } from '../driver/person.mjs';
import { WORKERS } from '../driver/request-load.mjs';
import { inTurn } from '../driver/rounds.mjs';

/** Every worker refreshes with the token that the last answer brought. */
function chains(server, clientId, tokens) {
  const latest = tokens.map((response) => response.refresh_token);
  return async (worker) => {
    const response = await server.json(refresh(clientId, latest[worker]));
    if (response.refresh_token === latest[worker]) throw new Error('the token was not rotated');
    latest[worker] = response.refresh_token;
  };
}

async function durable(server) {
  const clientId = await Person.registerApp(server);
  const people = await Person.signUp(server, WORKERS);
  const tokens = await Promise.all(people.map((person) => person.connect(clientId)));
  return chains(server, clientId, tokens);
}

async function library(server) {
  const connect = async () => {
    const { text } = await server.ask({ path: `/code?challenge=${VERIFIER_CHALLENGE}` });
    return server.json(exchange('bench', text));
  };
  return chains(server, 'bench', await Promise.all(Array.from({ length: WORKERS }, connect)));
}

export const row = inTurn({
  operation: '`POST token`, a refresh: the token is rotated, and what is answered is on the disk',
  sides: [
    ...ours(
      { prepare: durable },
      {
        sqlite: {
          against: 'oidc-provider (in memory)',
          goals: { server: [550, 400], rate: [1600] },
        },
        postgres: {
          against: 'oidc-provider (in memory)',
          goals: { server: [400, 250], stores: [300] },
        },
      },
    ),
    other({
      name: 'oidc-provider (in memory)',
      start: inMemory('oidc-provider'),
      prepare: library,
    }),
  ],
});
