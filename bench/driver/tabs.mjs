// Where tabs connect: people with sessions at ours, anybody at the others.
import { Person } from './person.mjs';
import { TabLoad } from './tab-load.mjs';

/** An account may have 32; so many that the limit of frames a second of a tab is never met. */
const ACCOUNTS = 200;
const TABS_OF_AN_ACCOUNT = 20;

/** Addresses of so many tabs at our hub, at the servers in turn, those of an account one after the other. */
export async function hubTabs(servers, { accounts = ACCOUNTS } = {}) {
  const people = [];
  while (people.length < accounts) people.push(...(await Person.signUp(servers[0], 25)));
  return addresses(
    'hub',
    servers,
    people.flatMap(({ headers }) => {
      const { host } = new URL(servers[0].origin);
      return Array.from({ length: TABS_OF_AN_ACCOUNT }, () => ({ host, ...headers }));
    }),
  );
}

/** The same number of tabs at another side. */
export const otherTabs = (protocol, servers, { accounts = ACCOUNTS } = {}) =>
  addresses(
    protocol,
    servers,
    Array.from({ length: accounts * TABS_OF_AN_ACCOUNT }, () => ({})),
  );

const addresses = (protocol, servers, headers) =>
  headers.map((own, n) => ({ protocol, port: servers[n % servers.length].port, headers: own }));

/** Each with its neighbour. */
export function inPairs(tabs) {
  const pairs = [];
  for (let n = 0; n < tabs.length; n += 2) pairs.push([tabs[n], tabs[n + 1]]);
  return TabLoad.open(pairs);
}
