import type { AccountScriptTexts } from '../../../account/account-texts.js';

type Texts = AccountScriptTexts['activity'];
type EventType = keyof Texts['types'];
type Advice = keyof Texts['advice'];

/** An event type, with the advice for people who did not cause the event themselves. */
interface EventKind {
  readonly advice: Advice;
  /** Whether the advice is shown open, because it concerns everyone who sees the event. */
  readonly isGrave?: boolean;
}

const KINDS: Readonly<Partial<Record<EventType, EventKind>>> = {
  'sign-in': { advice: 'passkey' },
  'passkey-added': { advice: 'passkey' },
  'passkey-renamed': { advice: 'intruder' },
  'passkey-removed': { advice: 'intruder' },
  'session-ended': { advice: 'intruder' },
  'other-sessions-ended': { advice: 'intruder' },
  'display-name-changed': { advice: 'intruder' },
  'recovery-codes-created': { advice: 'codes' },
  'account-recovered': { advice: 'recovered', isGrave: true },
  'consent-approved': { advice: 'app' },
  'app-disconnected': { advice: 'intruder' },
  'token-replayed': { advice: 'replayed', isGrave: true },
  'signature-counter-reversed': { advice: 'copied', isGrave: true },
  'recovery-link-created': { advice: 'operator' },
  'recovery-link-revoked': { advice: 'operator' },
  'user-signed-out': { advice: 'operator' },
  'user-disabled': { advice: 'operator' },
  'user-enabled': { advice: 'operator' },
  'budget-set': { advice: 'operator' },
  'budget-reset': { advice: 'operator' },
};

/** The section of the page that the advice refers to. */
const SECTIONS: Readonly<Record<Advice, keyof Texts['links'] | undefined>> = {
  intruder: 'sessions',
  passkey: 'passkeys',
  codes: 'recovery-codes',
  recovered: 'recovery-codes',
  app: 'apps',
  replayed: 'apps',
  copied: 'passkeys',
  operator: undefined,
};

const kinds = new Map(Object.entries(KINDS));

/** An event in words; the texts of `other` for a type without texts of its own. */
export function eventWords(type: string, texts: Texts) {
  const words = new Map(Object.entries(texts.types)).get(type) ?? texts.other;
  const kind = kinds.get(type);
  if (kind === undefined) return { words };
  const section = SECTIONS[kind.advice];
  const link = section && { text: texts.links[section], href: `#${section}` };
  return { words, isGrave: kind.isGrave === true, advice: texts.advice[kind.advice], link };
}
