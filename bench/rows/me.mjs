import { BetterAuthPerson } from '../driver/better-auth.mjs';
import { ours } from '../driver/ours.mjs';
import { comparedWith, durable, inMemory, other } from '../driver/peers.mjs';
import { Person } from '../driver/person.mjs';
import { WORKERS } from '../driver/request-load.mjs';
import { inTurn } from '../driver/rounds.mjs';

/** A person who is signed in with a passkey, over and over. */
async function signedIn(server) {
  const people = await Person.signUp(server, WORKERS);
  return (worker) => server.ask({ path: '/svc/auth/me', headers: people[worker].headers });
}

async function betterAuth(server) {
  const people = await BetterAuthPerson.signUp(server, WORKERS);
  return async (worker) => {
    const { email, headers } = people[worker];
    const { text } = await server.ask({ path: '/api/auth/get-session', headers });
    if (!text.includes(email)) throw new Error(`no session: ${text}`);
  };
}

export const row = inTurn({
  operation: '`GET me`, signed in: session, user and budget',
  sides: [
    ...ours({ prepare: signedIn }, comparedWith({ 'better-auth': [{ server: 6 }, { server: 5 }] })),
    ...durable('better-auth', 'better-auth', { prepare: betterAuth }),
    other({
      name: 'bare Nest',
      start: inMemory('nest'),
      prepare: (server) => () => server.ask({ path: '/' }),
    }),
  ],
});
