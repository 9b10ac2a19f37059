import { BetterAuthPerson, INTROSPECTION_PATH } from '../driver/better-auth.mjs';
import { durable } from '../driver/peers.mjs';
import { exchange, form, Person, VERIFIER_CHALLENGE } from '../driver/person.mjs';
import { WORKERS } from '../driver/request-load.mjs';
import { ALL_NOTES, oursWithResources } from '../driver/resources.mjs';
import { inTurn } from '../driver/rounds.mjs';

const PATH = '/svc/introspect';

/** Asks about one token after the other, over and over. */
function asking(server, requests) {
  let asked = 0;
  return async () => {
    asked += 1;
    const { active } = await server.json(requests[asked % requests.length]);
    if (active !== true) throw new Error('the token is not active');
  };
}

async function gatehouse(server) {
  const clientId = await Person.registerApp(server);
  const people = await Person.signUp(server, WORKERS);
  const requests = ALL_NOTES.map(async (notes, n) => {
    const { access_token: token } = await people[n % WORKERS].connect(clientId, notes);
    return form(PATH, { token }, notes.server);
  });
  return asking(server, await Promise.all(requests));
}

/** There a client asks about tokens of its own. */
async function betterAuth(server) {
  const people = await BetterAuthPerson.signUp(server, WORKERS);
  const { server: client } = await people[0].clients();
  const secret = [client.client_id, client.client_secret];
  const tokens = await Promise.all(people.map((person) => person.connectServer(secret)));
  const request = ({ access_token: token }) => form(INTROSPECTION_PATH, { token }, secret);
  return asking(server, tokens.map(request));
}

async function library(server) {
  const connect = async () => {
    const { text } = await server.ask({ path: `/code?challenge=${VERIFIER_CHALLENGE}` });
    const { access_token: token } = await server.json(exchange('bench', text));
    return form(PATH, { token }, ['machine', 'a secret of the bench']);
  };
  return asking(server, await Promise.all(Array.from({ length: WORKERS }, connect)));
}

export const row = inTurn({
  operation: '`POST introspect`: an opaque token of a person, looked up',
  sides: [
    ...oursWithResources(gatehouse, { 'better-auth': [], 'oidc-provider': [] }),
    ...durable('better-auth', 'better-auth', { prepare: betterAuth }),
    ...durable('oidc-provider', 'oidc-provider', { prepare: library }),
  ],
});
