import { callAccountStatus } from '../driver/app-call.mjs';
import { ours } from '../driver/ours.mjs';
import { inMemory, other } from '../driver/peers.mjs';
import { Person } from '../driver/person.mjs';
import { WORKERS } from '../driver/request-load.mjs';
import { inTurn } from '../driver/rounds.mjs';

/** The apps of as many people, each with an access token that is looked up at every call. */
async function withBearer(server) {
  const clientId = await Person.registerApp(server);
  const people = await Person.signUp(server, WORKERS);
  const tokens = await Promise.all(people.map((person) => person.connect(clientId)));
  return (worker) => callAccountStatus(server, tokens[worker].access_token);
}

/** The samples have five tools too, and check no token. */
const withoutBearer = (server) => () => callAccountStatus(server);

export const row = inTurn({
  operation: '`tools/call`: `account_status`, bearer and budget looked up at each call',
  sides: [
    ...ours(
      { prepare: withBearer },
      {
        sqlite: { against: 'SDK 1.x' },
        postgres: { against: 'SDK 1.x', goals: { server: [140, 110] } },
      },
    ),
    other({ name: 'SDK 1.x', start: inMemory('mcp-sdk-1'), prepare: withoutBearer }),
    other({ name: 'SDK 2.x', start: inMemory('mcp-sdk-2'), prepare: withoutBearer }),
  ],
});
