import { ours } from '../driver/ours.mjs';
import { inMemory, inServices, inSqlite, other } from '../driver/peers.mjs';
import { Person } from '../driver/person.mjs';
import { WORKERS } from '../driver/request-load.mjs';
import { inTurn } from '../driver/rounds.mjs';

const NEW_ACCOUNT = { email: 'ann@example.org', password: 'long enough a password', name: 'Ann' };

/** A person who is signed in with a passkey, over and over. */
async function signedIn(server) {
  const people = await Person.signUp(server, WORKERS);
  return (worker) => server.ask({ path: '/svc/auth/me', headers: people[worker].headers });
}

async function betterAuth(server) {
  const { headers } = await server.ask({
    method: 'POST',
    path: '/api/auth/sign-up/email',
    headers: { 'content-type': 'application/json', origin: server.origin },
    body: JSON.stringify(NEW_ACCOUNT),
  });
  const cookie = [headers['set-cookie']].flat().map((one) => one.split(';')[0]);
  return async () => {
    const request = { path: '/api/auth/get-session', headers: { cookie: cookie.join('; ') } };
    const { text } = await server.ask(request);
    if (!text.includes(NEW_ACCOUNT.email)) throw new Error(`no session: ${text}`);
  };
}

export const row = inTurn({
  operation: '`GET me`, signed in: session, user and budget',
  sides: [
    ...ours(
      { prepare: signedIn },
      {
        sqlite: { against: 'better-auth (node:sqlite)', goals: { server: [90, 60] } },
        postgres: { against: 'better-auth (Postgres + Redis)', goals: { server: [70, 37] } },
      },
    ),
    other({
      name: 'better-auth (node:sqlite)',
      start: inSqlite('better-auth'),
      prepare: betterAuth,
    }),
    other({
      name: 'better-auth (Postgres + Redis)',
      needsServices: true,
      start: inServices('better-auth'),
      prepare: betterAuth,
    }),
    other({
      name: 'bare Nest',
      start: inMemory('nest'),
      prepare: (server) => () => server.ask({ path: '/' }),
    }),
  ],
});
