import { englishAccountTexts } from '../../texts/account.en.js';
import { eventWords } from './activity.js';

const texts = englishAccountTexts.activity.script;

describe('an event of the activity in words', () => {
  it.each([
    ['sign-up', 'Account created', undefined, undefined],
    ['sign-in', 'Signed in', texts.advice.passkey, '#passkeys'],
    [
      'account-recovered',
      'Account recovered with a code or link',
      texts.advice.recovered,
      '#recovery-codes',
    ],
    ['user-disabled', 'Account disabled', texts.advice.operator, undefined],
  ])('%s', (type, words, advice, href) => {
    const told = eventWords(type, texts);
    expect([told.words, told.advice, told.link?.href]).toEqual([words, advice, href]);
  });

  it.each(['invented', 'constructor', '__proto__'])('%s, an unknown type', (type) => {
    expect(eventWords(type, texts)).toEqual({ words: texts.other });
  });

  it('is grave where the advice is for every user', () => {
    const grave = Object.keys(texts.types).filter((type) => eventWords(type, texts).isGrave);
    expect(grave).toEqual([
      'account-recovered',
      'token-replayed',
      'signature-counter-reversed',
      'backup-eligibility-changed',
    ]);
  });
});
