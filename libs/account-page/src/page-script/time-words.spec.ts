import { page } from '../texts/page.js';
import { timeWords } from './time-words.js';

const now = new Date(2026, 10, 22, 14, 5);
const ago = (seconds: number) => Math.floor(now.getTime() / 1000) - seconds;
const DAY = 24 * 3600;

describe('time in words', () => {
  beforeAll(() => {
    Object.assign(globalThis, { document: { documentElement: { lang: 'en' } } });
  });
  afterAll(() => {
    Reflect.deleteProperty(globalThis, 'document');
  });

  it.each([
    [0, 'just now'],
    [59, 'just now'],
    [-30, 'just now'],
    [61, '1 minute ago'],
    [3599, '59 minutes ago'],
    [3600, 'today at 1:05 PM'],
    [14 * 3600, 'today at 12:05 AM'],
    [15 * 3600, 'yesterday at 11:05 PM'],
    [2 * DAY, 'on November 20'],
    [400 * DAY, 'on October 18, 2025'],
    [-10 * 3600, 'tomorrow at 12:05 AM'],
    [-120, 'in 2 minutes'],
  ])('%d seconds ago is %s', (seconds, words) => {
    expect(timeWords(ago(seconds), page.script, now).replaceAll('\u202f', ' ')).toBe(words);
  });

  it('takes ISO 8601 too', () => {
    expect(timeWords(now.toISOString(), page.script, now)).toBe('just now');
  });
});
