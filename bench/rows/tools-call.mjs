import { callAccountStatus } from '../driver/app-call.mjs';
import { ours } from '../driver/ours.mjs';
import { comparedWith, durable } from '../driver/peers.mjs';
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

/** The samples have five tools too. */
const sample = async (server) => {
  const asked = Array.from({ length: WORKERS }, () => server.ask({ path: '/token' }));
  const tokens = (await Promise.all(asked)).map(({ text }) => text);
  return (worker) => callAccountStatus(server, tokens[worker]);
};

const twice = (goals) => [goals, goals];

export const row = inTurn({
  operation: '`tools/call`: `account_status`, bearer and budget looked up at each call',
  sides: [
    ...ours(
      { prepare: withBearer },
      comparedWith({
        'SDK 1.x': twice({ server: 4 }),
        'SDK 2.x': twice({ server: 1.5 }),
        'mcp-nest': [],
      }),
    ),
    ...durable('SDK 1.x', 'mcp-sdk-1', { prepare: sample }),
    ...durable('SDK 2.x', 'mcp-sdk-2', { prepare: sample }),
    ...durable('mcp-nest', 'mcp-nest', { prepare: sample }),
  ],
});
