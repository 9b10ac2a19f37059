import { ours } from '../driver/ours.mjs';
import { Person } from '../driver/person.mjs';
import { WORKERS } from '../driver/request-load.mjs';
import { inTurn } from '../driver/rounds.mjs';

/** Pages are shown before; only the answer is measured. */
async function approvals(server, options) {
  const apps = await Person.registerApps(server, options.stock);
  const people = await Person.signUp(server, WORKERS);
  const approve = async (_worker, form) => {
    const { headers } = await server.ask(form, 302);
    if (!headers.location.includes('code=')) throw new Error(`no code: ${headers.location}`);
  };
  const stock = async (worker, n) => {
    const page = await server.ask(people[worker].authorization(apps[n]));
    return people[worker].consent(page);
  };
  return Object.assign(approve, { stock });
}

export const row = inTurn({
  operation:
    '`POST authorize`: consent is given; the grant, in place of an older one, and the code are on the disk',
  sides: ours({ prepare: approvals }, { postgres: { goals: { server: [400] } } }),
});
