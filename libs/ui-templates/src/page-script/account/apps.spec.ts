import { accountScriptTextsOf } from '../../account/account-texts.js';
import type { ListedApp } from './answers.js';
import { datesOf, originOf } from './apps.js';

const texts = accountScriptTextsOf({ serviceName: 'Gatehouse', origin: 'https://gate.example' });
const MINUTE_S = 60;
const DAY_S = 86_400;
const now = Math.floor(Date.now() / 1000);

Object.assign(globalThis, { document: { documentElement: { lang: 'en' } } });

const app = (changes: Partial<ListedApp> = {}): ListedApp => ({
  id: 'grant',
  app: 'Notes',
  redirectHost: 'notes.example',
  published: null,
  scope: [],
  createdAt: now - 40 * DAY_S,
  expiresAt: now + 30 * DAY_S - 5 * MINUTE_S,
  ...changes,
});
const dates = (changes: Partial<ListedApp> = {}, isAlone = true, maxAgeS = Number.NaN) =>
  datesOf(app(changes), { texts, isAlone, maxAgeS });

describe('words about a connected app', () => {
  it('tell when it was connected and used last', () => {
    expect(dates()).toMatch(/^Connected on \w+ \d+(, \d{4})?, last used 5 minutes ago$/);
  });

  it('tell of one that was never exchanged that it was not used', () => {
    const waiting = { createdAt: now - 5, expiresAt: now - 5 + 10 * MINUTE_S };
    expect(dates(waiting)).toBe('Connected just now, never used');
  });

  it('say nothing of its use where access ends whatever its use', () => {
    const ends = app().createdAt + 60 * DAY_S;
    expect(dates({ expiresAt: ends }, true, 60 * DAY_S)).not.toContain('used');
    expect(dates({ expiresAt: ends - DAY_S }, true, 60 * DAY_S)).toContain('last used');
    const soon = { createdAt: now, expiresAt: now + DAY_S };
    expect(dates(soon)).toBe('Connected just now');
    expect(dates({ expiresAt: null })).not.toContain('used');
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
    expect(originOf(app(), words, 'Acme')).toMatch(/^Managed by .Acme.$/);
  });
});
