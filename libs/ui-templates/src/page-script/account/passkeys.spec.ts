import { germanAccountTexts } from '../../texts/account.de.js';
import { englishAccountTexts } from '../../texts/account.en.js';
import { hebrewAccountTexts } from '../../texts/account.he.js';
import type { Passkey } from './answers.js';
import { dateWords, keptWords, lossWords, nameOf, suggestedName } from './passkeys.js';

const speak = (lang: string) =>
  Object.assign(globalThis, { document: { documentElement: { lang } } });
const scriptOf = ({ passkeys, page }: typeof englishAccountTexts) => ({
  passkeys: passkeys.script,
  page: page.script,
});
const words = scriptOf(englishAccountTexts);
const texts = words.passkeys;
const passkey: Passkey = {
  id: 'A'.repeat(22),
  name: null,
  provider: null,
  synced: null,
  createdAt: 0,
  lastUsedAt: null,
  current: false,
};

beforeEach(() => speak('en'));

describe('a passkey in words', () => {
  it.each([
    [{}, 'Passkey', ''],
    [{ synced: true }, 'Passkey', 'Synced across your devices'],
    [{ provider: 'YubiKey 5', synced: false }, 'YubiKey 5', 'On one device only'],
    [{ provider: 'YubiKey 5', name: 'Key' }, 'Key', 'YubiKey 5'],
    [
      { provider: 'iCloud', name: 'Key', synced: true },
      'Key',
      'iCloud, synced across your devices',
    ],
  ])('%j', (changes, name, kept) => {
    expect(nameOf({ ...passkey, ...changes }, texts)).toBe(name);
    expect(keptWords({ ...passkey, ...changes }, words).replaceAll(/[\u2068\u2069]/g, '')).toBe(
      kept,
    );
  });

  it.each([
    ['en', englishAccountTexts, 'Added just now, not yet used to sign in', 'last used just now'],
    [
      'de',
      germanAccountTexts,
      'Gerade eben hinzugefügt, noch nicht zum',
      'zuletzt gerade eben verwendet',
    ],
  ])('says when it was added and used in the order of its language | %s', (lang, all, ...said) => {
    speak(lang);
    const createdAt = Date.now() / 1000;
    const wordsOf = (lastUsedAt: number | null) =>
      dateWords({ ...passkey, createdAt, lastUsedAt }, scriptOf(all));
    expect([wordsOf(null), wordsOf(createdAt)]).toEqual(
      said.map((part) => expect.stringContaining(part)),
    );
  });
});

describe('the passkey that an account was created with, in that session', () => {
  it('is not said to be unused', () => {
    const createdAt = Date.now() / 1000;
    expect(dateWords({ ...passkey, createdAt, current: true }, words)).toBe('Added just now');
  });
});

describe('the suggested name of a new passkey', () => {
  const suggested = (authenticatorAttachment?: string, transports?: string[]) =>
    suggestedName(
      { id: passkey.id, authenticatorAttachment, response: { transports } },
      'Chrome on Linux',
      texts,
    );

  it('is the browser that made it, unless something else keeps it', () => {
    expect(suggested('platform', ['internal', 'hybrid'])).toBe('Chrome on Linux');
    expect(suggested()).toBe('Chrome on Linux');
    expect(suggested('cross-platform', ['usb', 'nfc'])).toBe(texts.nameKey);
    expect(suggested('cross-platform')).toBe(texts.nameKey);
    expect(suggested('cross-platform', ['internal', 'hybrid'])).toBe(texts.namePhone);
  });
});

describe('what happens when the only passkey is lost', () => {
  const loss = (synced: boolean | null, left?: number) =>
    lossWords([{ ...passkey, synced }], left === undefined ? undefined : { left }, texts);

  it.each([
    [true, 'it’s synced'],
    [false, 'on one device'],
    [null, 'If you lose it'],
  ])('is told where it is synced: %s', (synced, part) => {
    expect(loss(synced, 0)).toEqual({ text: expect.stringContaining(part), isGrave: true });
    expect(loss(synced)?.text).toContain('save recovery codes');
  });

  it('is less grave with recovery codes', () => {
    expect(loss(false, 10)).toEqual({
      text: expect.stringContaining('10 codes left'),
      isGrave: false,
    });
    expect(loss(false, 1)?.text).toContain('1 code left');
  });

  it('counts as the language does', () => {
    speak('he');
    const left = (n: number) =>
      lossWords([passkey], { left: n }, scriptOf(hebrewAccountTexts).passkeys)?.text;
    expect(left(1)).toContain('נותר קוד אחד');
    expect(left(2)).toContain('נותרו שני קודים');
    expect(left(10)).toContain('נותרו 10 קודים');
  });

  it('is not said of several, nor of none', () => {
    expect(lossWords([passkey, passkey], { left: 0 }, texts)).toBeUndefined();
    expect(lossWords([], { left: 0 }, texts)).toBeUndefined();
  });
});
