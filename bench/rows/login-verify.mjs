import { BetterAuthPerson } from '../driver/better-auth.mjs';
import { ours } from '../driver/ours.mjs';
import { Passkey } from '../driver/passkey.mjs';
import { comparedWith, durable, inMemory, other } from '../driver/peers.mjs';
import { Person } from '../driver/person.mjs';
import { WORKERS } from '../driver/request-load.mjs';
import { inTurn } from '../driver/rounds.mjs';

const TIMES = 64;

/** Challenges are handed out and signed before; only the verification is measured, and the session that it begins. */
function signingIn(server, stock) {
  const verify = async (_worker, request) => {
    const { headers } = await server.ask(request);
    if (!headers['set-cookie']) throw new Error('no session');
  };
  return Object.assign(verify, { stock });
}

async function gatehouse(server) {
  const people = await Person.signUp(server, WORKERS);
  return signingIn(server, async (worker) => {
    const person = people[worker];
    return person.verification(await person.loginOptions());
  });
}

async function betterAuth(server) {
  const people = await BetterAuthPerson.signUp(server, WORKERS);
  await Promise.all(people.map((person) => person.addPasskey()));
  return signingIn(server, async (worker) => {
    const person = people[worker];
    return person.verification(await server.ask(person.loginOptions()));
  });
}

/** The library in a loop of `TIMES`, so that the request around them does not count. */
function library(server) {
  const passkey = new Passkey(server.origin);
  passkey.created({ challenge: '', user: { id: 'dQ' } });
  const challenge = Buffer.from('a challenge of some 32 bytes, or so').toString('base64url');
  const response = passkey.asserted({ challenge });
  const publicKey = passkey.coseKey().toString('base64url');
  const { origin } = server;
  const body = JSON.stringify({ times: TIMES, response, challenge, origin, publicKey });
  const call = () => server.ask({ method: 'POST', path: '/', body });
  return Object.assign(call, { operations: TIMES });
}

export const row = inTurn({
  operation: '`POST login/verify`: ES256, challenge, credential, counter, a new session, an event',
  sides: [
    ...ours(
      { prepare: gatehouse },
      comparedWith({ 'better-auth': [{ server: 3 }, { server: 3 }] }),
    ),
    ...durable('better-auth', 'better-auth', { prepare: betterAuth }),
    other({ name: 'the library alone', start: inMemory('webauthn-library'), prepare: library }),
  ],
});
