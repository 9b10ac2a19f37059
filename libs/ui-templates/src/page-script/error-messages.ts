import type { ScriptTexts } from '../texts.js';
import { isExpired, isNameRefused, Refusal } from './auth-api.js';
import { document } from './dom.js';

export type Ceremony = 'signIn' | 'signUp';

/** What to tell people about a failure; undefined for one that they did not cause and need not know. */
export function errorMessage(error: unknown, ceremony: Ceremony, texts: ScriptTexts) {
  if (error instanceof Refusal) return refusalMessage(error, texts);
  switch ((error as Error).name) {
    case 'AbortError':
      return undefined;
    case 'NotAllowedError':
      return ceremony === 'signIn' ? texts.cancelledSignIn : texts.cancelledSignUp;
    case 'InvalidStateError':
      return texts.alreadyHere;
    case 'SecurityError':
      return texts.wrongPlace;
    case 'ConstraintError':
      return texts.cannotKeep;
    case 'NotSupportedError':
      return texts.notSupported;
    default:
      return texts.failed;
  }
}

export function refusalMessage(refusal: Refusal, texts: ScriptTexts) {
  const { status, reason } = refusal;
  if (status === 0) return texts.offline;
  if (status === 429) return texts.tooMany.replace('{when}', retryTime(refusal, texts));
  if (status === 502 || status === 503 || status === 504) {
    return texts.unavailable.replace('{when}', retryTime(refusal, texts));
  }
  if (status === 409) return texts.alreadyHere;
  if (isExpired(refusal)) return texts.expired;
  if (status !== 400 || reason === '') return texts.failed;
  const text = isNameRefused(refusal) ? texts.nameRefused : texts.refused;
  return text.replace('{reason}', () => reason);
}

function retryTime({ retryAfterSeconds }: Refusal, texts: ScriptTexts) {
  if (retryAfterSeconds === undefined || retryAfterSeconds <= 0) return texts.soon;
  const time = new Intl.RelativeTimeFormat(document.documentElement.lang);
  return retryAfterSeconds < 60
    ? time.format(retryAfterSeconds, 'second')
    : time.format(Math.ceil(retryAfterSeconds / 60), 'minute');
}
