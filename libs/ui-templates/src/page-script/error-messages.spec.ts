import { texts } from '../texts.js';
import { Refusal } from './auth-api.js';
import { errorMessage } from './error-messages.js';

const words = texts.script;
const named = (name: string) => Object.assign(new Error('technical details'), { name });
const refused = (status: number, reason = '', seconds?: number, route = 'login/verify') =>
  new Refusal(route, status, reason, seconds);

describe('error message', () => {
  it.each([
    ['AbortError', undefined, undefined],
    ['NotAllowedError', words.cancelledSignIn, words.cancelledSignUp],
    ['InvalidStateError', words.alreadyHere, words.alreadyHere],
    ['SecurityError', words.wrongPlace, words.wrongPlace],
    ['ConstraintError', words.cannotKeep, words.cannotKeep],
    ['NotSupportedError', words.notSupported, words.notSupported],
    ['UnknownError', words.failed, words.failed],
    ['TypeError', words.failed, words.failed],
  ])('%s', (name, signIn, signUp) => {
    expect(errorMessage(named(name), 'signIn', words)).toBe(signIn);
    expect(errorMessage(named(name), 'signUp', words)).toBe(signUp);
  });

  it.each([
    ['no answer', refused(0), words.offline],
    ['expired twice', refused(400, 'sign-in expired; start again'), words.expired],
    ['a passkey taken', refused(409, 'taken'), words.alreadyHere],
    ['a foreign origin', refused(403, 'cross-origin request'), words.failed],
    ['an internal error', refused(500, 'internal error (request 7)'), words.failed],
    ['a refusal without a reason', refused(400), words.failed],
    [
      'a refusal',
      refused(400, 'costs $& and $1'),
      'That did not work: costs $& and $1. Try again, or use another passkey.',
    ],
    [
      'a refused name',
      refused(400, 'display name is 1 to 40 characters', undefined, 'register/options'),
      'That did not work: display name is 1 to 40 characters.',
    ],
  ])('%s', (_case, refusal, sentence) => {
    expect(errorMessage(refusal, 'signIn', words)).toBe(sentence);
  });
});
