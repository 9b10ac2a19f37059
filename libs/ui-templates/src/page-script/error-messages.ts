import type { ScriptTexts } from '../texts/pages.en.js';
import { isExpired, nameFault, Refusal } from './auth-api.js';
import { fillText } from './elements.js';

const CHARACTER = /^(.*)(U\+[\dA-F]{4,6})(?: \([^)]+\))?, at position (\d+)(.*)$/;

/** Translates the service's English reason where the page's texts have a translation. */
export function toldReason(reason: string, { reasons }: Pick<ScriptTexts, 'reasons'>): string {
  const [, before, character = '', position = '', after] = CHARACTER.exec(reason) ?? [];
  const sentence =
    before === undefined ? reason : `${before}{character}, at position {position}${after}`;
  if (!Object.hasOwn(reasons, sentence)) return reason;
  return fillText(String(reasons[sentence]), { character, position });
}

/** `switch`: signing in with another account while signed in. */
export type Ceremony = 'signIn' | 'signUp' | 'switch';

type Sentence = Exclude<keyof ScriptTexts, 'reasons'>;

const CANCELLED = {
  signIn: 'cancelledSignIn',
  signUp: 'cancelledSignUp',
  switch: 'cancelledSwitch',
} as const satisfies Record<Ceremony, Sentence>;

/** By the name of the error with which the browser rejects a ceremony. */
const FAILURES = new Map<string, Sentence>([
  ['InvalidStateError', 'alreadyHere'],
  ['SecurityError', 'wrongPlace'],
  ['ConstraintError', 'cannotKeep'],
  ['NotSupportedError', 'notSupported'],
  ['NotAtHandError', 'notAtHand'],
]);

/** Statuses of refusals whose own text says what happened and what to do. */
const EXPLAINED = new Set([400, 403, 409, 413]);

/** The message for a failure; undefined for one that the person did not cause and need not know about. */
export function errorMessage(error: unknown, ceremony: Ceremony, texts: ScriptTexts) {
  if (error instanceof Refusal) return refusalMessage(error, texts);
  const { name } = error as Error;
  if (name === 'AbortError') return undefined;
  if (name === 'NotAllowedError') return texts[CANCELLED[ceremony]];
  return texts[FAILURES.get(name) ?? 'failed'];
}

function refusalMessage(refusal: Refusal, texts: ScriptTexts) {
  const { status, reason, answer } = refusal;
  if (status === 0) return texts.offline;
  const when = retryTime(refusal, texts);
  if (status === 429) return fillText(texts.tooMany, { when });
  if ([502, 503, 504].includes(status)) return fillText(texts.unavailable, { when });
  if (isExpired(refusal)) return texts.expired;
  const fault = nameFault(refusal);
  if (fault !== undefined) return fillText(texts.nameRefused, { fault: toldReason(fault, texts) });
  if (status === 400 && /already signed in/.test(reason)) return texts.signedInAlready;
  if (status === 400 && /not registered here/.test(reason)) return texts.unknownPasskey;
  if (status === 403 && /cross-origin/.test(reason)) return texts.otherAddress;
  if (EXPLAINED.has(status) && reason !== '') {
    return fillText(texts.refused, { reason: toldReason(reason, texts) });
  }
  const { requestId } = answer;
  if (requestId === undefined) return texts.failed;
  return fillText(texts.failedThere, { request: requestId });
}

function retryTime({ answer: { retryAfterSeconds } }: Refusal, texts: ScriptTexts) {
  if (retryAfterSeconds === undefined || retryAfterSeconds <= 0) return texts.soon;
  const time = new Intl.RelativeTimeFormat(document.documentElement.lang);
  return retryAfterSeconds < 60
    ? time.format(retryAfterSeconds, 'second')
    : time.format(Math.ceil(retryAfterSeconds / 60), 'minute');
}

/** The texts for a page without sign-up: none of them mentions it. */
export const withoutSignUp = (texts: ScriptTexts): ScriptTexts => ({
  ...texts,
  cancelledSignIn: texts.cancelledSignInOnly,
  cancelledSwitch: texts.cancelledSwitchOnly,
  notAtHand: texts.notAtHandOnly,
  unknownPasskey: texts.unknownPasskeyOnly,
});
