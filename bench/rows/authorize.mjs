import { ours } from '../driver/ours.mjs';
import { Person } from '../driver/person.mjs';
import { WORKERS } from '../driver/request-load.mjs';
import { inTurn } from '../driver/rounds.mjs';

async function consentPages(server) {
  const clientId = await Person.registerApp(server);
  const people = await Person.signUp(server, WORKERS);
  return async (worker) => {
    const { text } = await server.ask(people[worker].authorization(clientId));
    if (!text.includes('name="handle"')) throw new Error('no consent page');
  };
}

export const row = inTurn({
  operation: '`GET authorize`, signed in: the consent page, and what it was asked for stored',
  sides: ours({ prepare: consentPages }, { postgres: { goals: { server: [300] } } }),
});
