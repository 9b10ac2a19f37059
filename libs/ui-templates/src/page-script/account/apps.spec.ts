import { accountScriptTextsOf } from '../../account/account-texts.js';
import type { Connection } from './answers.js';
import { datesOf, momentOf, originOf } from './apps.js';

const texts = accountScriptTextsOf({ serviceName: 'Gatehouse', origin: 'https://gate.example' });
const DAY_S = 86_400;
const now = Math.floor(Date.now() / 1000);

Object.assign(globalThis, { document: { documentElement: { lang: 'en' } } });

const app = (changes: Partial<Connection> = {}): Connection => ({
  id: 'grant',
  app: 'Notes',
  redirectHost: 'notes.example',
  published: null,
  managedBy: null,
  permissions: {},
  pausedBy: null,
  createdAt: now - 40 * DAY_S,
  lastUsedAt: now - 5 * 60,
  ...changes,
});
const dates = (changes: Partial<Connection> = {}, isAlone = true) =>
  datesOf(app(changes), texts, momentOf(app(changes), texts, isAlone));

describe('words about a connected app', () => {
  it('tell when it was connected and used last', () => {
    expect(dates()).toMatch(/^Connected on \w+ \d+(, \d{4})?, last used 5 minutes ago$/);
  });

  it('tell two of one name apart to the second', () => {
    const [one, other] = [dates({}, false), dates({ createdAt: app().createdAt + 1 }, false)];
    expect(one).toMatch(/^Connected on \w+ \d+, \d{4} at \d+:\d\d:\d\d.[AP]M/);
    expect(other).not.toBe(one);
  });

  it('say who vouches for its name, or where it returns to', () => {
    const words = texts.apps;
    expect(originOf(app({ published: 'notes.example' }), words)).toMatch(/^Published by .notes/);
    expect(originOf(app(), words)).toMatch(/^Name unverified, redirects to .notes\.example/);
    expect(originOf(app({ redirectHost: null }), words)).toContain('opens an app');
    expect(originOf(app({ managedBy: 'Acme' }), words)).toMatch(/^Managed by .Acme.$/);
  });
});
