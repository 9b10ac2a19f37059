// Where tabs connect: people with sessions at ours, anyone at the others.
import { Person } from './person.mjs';
import { TabLoad } from './tab-load.mjs';

/** An account may have 32. */
const TABS_OF_AN_ACCOUNT = 20;

/** Addresses of the tabs of a number of accounts at our hub: at the servers in turn, an account's one after the other. */
export async function hubTabs(servers, { accounts }) {
  const people = [];
  while (people.length < accounts) people.push(...(await Person.signUp(servers[0], 25)));
  const { host } = new URL(servers[0].origin);
  const tabsOf = ({ headers }) =>
    Array.from({ length: TABS_OF_AN_ACCOUNT }, () => ({ host, ...headers }));
  return addresses('hub', servers, people.flatMap(tabsOf));
}

/** The same number of tabs at another side. */
export function otherTabs(protocol, servers, { accounts }) {
  const anonymous = Array.from({ length: accounts * TABS_OF_AN_ACCOUNT }, () => ({}));
  return addresses(protocol, servers, anonymous);
}

const addresses = (protocol, servers, headers) =>
  headers.map((own, n) => ({ protocol, port: servers[n % servers.length].port, headers: own }));

/** Each with its neighbour. */
export function inPairs(tabs) {
  const pairs = [];
  for (let n = 0; n < tabs.length; n += 2) pairs.push([tabs[n], tabs[n + 1]]);
  return TabLoad.open(pairs);
}
