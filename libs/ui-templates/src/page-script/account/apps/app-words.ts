import type { AccountScriptTexts } from '../../../account/account-texts.js';
import { capital, fill, isolate } from '../part.js';
import { timeWords } from '../time-words.js';

/** An app as listed by `/svc/me/apps`; times are epoch seconds. */
export interface ConnectedApp {
  readonly id: string;
  readonly app: string;
  readonly redirectHost: string | null;
  /** The host of the document that describes it; null where the app registered itself. */
  readonly published: string | null;
  readonly scope: readonly string[];
  readonly createdAt: number;
  readonly expiresAt: number | null;
}

interface Shown {
  readonly texts: AccountScriptTexts;
  /** Whether no other app has the same name. */
  readonly isAlone: boolean;
  readonly maxAgeS: number;
}

/** Access ends this long after its last use. */
const IDLE_S = 30 * 24 * 60 * 60;

/** The origin of the app, as far as it is verified. */
export function originOf(
  { published, redirectHost }: ConnectedApp,
  texts: AccountScriptTexts['apps'],
) {
  if (published !== null) return fill(texts.published, { host: isolate(published) });
  if (redirectHost === null) return texts.unverifiedApp;
  return fill(texts.unverified, { host: isolate(redirectHost) });
}

/** When the app was connected; to the second where another app has the same name. */
export function momentOf({ createdAt }: ConnectedApp, texts: AccountScriptTexts, isAlone: boolean) {
  if (isAlone) return timeWords(createdAt, texts.page);
  const exact = new Intl.DateTimeFormat(document.documentElement.lang, {
    dateStyle: 'long',
    timeStyle: 'medium',
  });
  return fill(texts.apps.moment, { moment: exact.format(new Date(createdAt * 1000)) });
}

/** `maxAgeS`: how long after consent access ends in any case; NaN where there is no such limit. */
export function datesOf(app: ConnectedApp, { texts, isAlone, maxAgeS }: Shown): string {
  const { connected, unused, used } = texts.apps;
  const since = fill(connected, { when: momentOf(app, texts, isAlone) });
  const lastUse = lastUseOf(app, maxAgeS);
  if (lastUse === undefined) return capital(since);
  const use = lastUse === 'never' ? unused : fill(used, { when: timeWords(lastUse, texts.page) });
  return capital(fill(texts.page.both, { first: since, second: use }));
}

/**
 * The last use, derived from the time when access ends; undefined where that time does not depend on the last use.
 */
function lastUseOf(
  { createdAt, expiresAt }: ConnectedApp,
  maxAgeS: number,
): number | 'never' | undefined {
  if (expiresAt === null || expiresAt >= createdAt + maxAgeS - 1) return undefined;
  const lastUse = expiresAt - IDLE_S;
  if (lastUse >= createdAt) return lastUse;
  return expiresAt - createdAt <= 10 * 60 ? 'never' : undefined;
}
