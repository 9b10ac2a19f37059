import { builtInPageLanguages } from '../texts/languages.js';
import { englishPageTexts as texts } from '../texts/pages.en.js';
import { Refusal } from './auth-api.js';
import { errorMessage, toldReason } from './error-messages.js';

const { script: english } = builtInPageLanguages.choose(['en']).texts;
const { script: german } = builtInPageLanguages.choose(['de']).texts;

describe('what the service says, in the words of the page', () => {
  // test/docs/reasons.spec.ts has the sentences of the service.
  it.each([
    ['is empty; enter 1 to 40 characters', 'ist leer; nötig sind 1 bis 40 Zeichen'],
    [
      'has an invisible character, U+200B (zero width space), at position 4; delete it, or type the name again',
      /^enthält an Stelle 4 ein unsichtbares Zeichen \(U\+200B\); löschen/,
    ],
    [
      'has an invisible character, U+E0001, at position 1; delete it, or type the name again',
      /^enthält an Stelle 1 ein unsichtbares Zeichen \(U\+E0001\); löschen/,
    ],
    [
      'has a control character, U+0007, at position 1; delete it, or type the name again',
      /^enthält an Stelle 1 ein Steuerzeichen \(U\+0007\); löschen/,
    ],
  ])('translates %j', (reason, told) => {
    expect(toldReason(reason, german)).toMatch(told);
    expect(toldReason(reason, english)).toBe(reason);
  });

  it.each(['names with Acme in them are for Acme itself', '__proto__', 'constructor', 'toString'])(
    'stays as it is where the page has no words for it: %s',
    (reason) => {
      expect(toldReason(reason, german)).toBe(reason);
    },
  );
});

const words = texts.script;
const named = (name: string) => Object.assign(new Error('technical details'), { name });
const refused = (status: number, reason = '', answer = {}) =>
  new Refusal('login/verify', status, reason, answer);

describe('error message', () => {
  it.each([
    ['AbortError', undefined, undefined, undefined],
    ['NotAllowedError', words.cancelledSignIn, words.cancelledSignUp, words.cancelledSwitch],
    ['InvalidStateError', words.alreadyHere, words.alreadyHere, words.alreadyHere],
    ['SecurityError', words.wrongPlace, words.wrongPlace, words.wrongPlace],
    ['ConstraintError', words.cannotKeep, words.cannotKeep, words.cannotKeep],
    ['NotSupportedError', words.notSupported, words.notSupported, words.notSupported],
    ['NotAtHandError', words.notAtHand, words.notAtHand, words.notAtHand],
    ['constructor', words.failed, words.failed, words.failed],
    ['UnknownError', words.failed, words.failed, words.failed],
    ['TypeError', words.failed, words.failed, words.failed],
  ])('%s', (name, signIn, signUp, toSwitch) => {
    expect(errorMessage(named(name), 'signIn', words)).toBe(signIn);
    expect(errorMessage(named(name), 'signUp', words)).toBe(signUp);
    expect(errorMessage(named(name), 'switch', words)).toBe(toSwitch);
  });

  it.each([
    ['no answer', refused(0), words.offline],
    ['expired twice', refused(400, 'sign-in expired; start again'), words.expired],
    [
      'a passkey taken',
      refused(409, 'taken; use another'),
      'That didn’t work: taken; use another.',
    ],
    ['a passkey that is unknown here', refused(400, 'not registered here'), words.unknownPasskey],
    ['a foreign origin', refused(403, 'cross-origin request'), words.otherAddress],
    ['no leave', refused(403, 'ask for an invitation'), 'That didn’t work: ask for an invitation.'],
    ['an internal error', refused(500, 'internal error (request 7)'), words.failed],
    [
      'an internal error that has a number',
      refused(500, 'internal error (request 7)', { requestId: '7-$&' }),
      'Something went wrong on our end. Please try again. If it happens again, contact an administrator of this service and mention request 7-$&.',
    ],
    [
      'signed in meanwhile',
      refused(400, 'you are already signed in; sign out first'),
      words.signedInAlready,
    ],
    ['a refusal without a reason', refused(400), words.failed],
    ['a refusal', refused(400, 'costs $& and $1'), 'That didn’t work: costs $& and $1.'],
    [
      'a refused name',
      refused(400, 'displayName has $&, U+200B, at position 5; delete it'),
      '“Your name” has $&, U+200B, at position 5; delete it.',
    ],
  ])('%s', (_case, refusal, sentence) => {
    expect(errorMessage(refusal, 'signIn', words)).toBe(sentence);
  });

  it('fills in what a text names twice', () => {
    const twice = {
      ...words,
      tooMany: 'Wait, {when}! Again {when}.',
      refused: '{reason} ({reason})',
    };
    expect(errorMessage(refused(429), 'signIn', twice)).toBe(
      `Wait, ${words.soon}! Again ${words.soon}.`,
    );
    expect(errorMessage(refused(400, 'no $&'), 'signIn', twice)).toBe('no $& (no $&)');
  });
});
