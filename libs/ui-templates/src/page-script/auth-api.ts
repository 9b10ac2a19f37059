import { attempt } from './remembered.js';

interface RefusalDetails {
  readonly retryAfterSeconds?: number;
  readonly requestId?: string;
  /** A machine-readable word, such as `sign_in_again`. */
  readonly word?: string;
  /** Whether passkey managers may be told to delete the offered passkey. */
  readonly isUnknownPasskey?: boolean;
}

/** The service's refusal of a request; status 0 when no usable answer arrived. */
export class Refusal extends Error {
  override readonly name = 'Refusal';

  constructor(
    readonly route: string,
    readonly status: number,
    readonly reason: string,
    readonly answer: RefusalDetails = {},
  ) {
    super(`${route}: ${status} ${reason}`);
  }
}

/** Posts to the account area. Throws Refusal for every answer except success. */
export const post = <Answer>(route: string, body: unknown) =>
  send<Answer>('POST', `/svc/auth/${route}`, body);

/** Throws Refusal for every answer except success; an empty answer is `{}`. */
export async function send<Answer>(method: string, path: string, body?: unknown): Promise<Answer> {
  const text = await sendForText(method, path, { body });
  try {
    return JSON.parse(text || '{}') as Answer;
  } catch (error) {
    throw new Refusal(path, 0, String(error));
  }
}

/** As {@link send}, for an answer that is not read. */
export async function sendForText(
  method: string,
  path: string,
  { body, timeLimitMs = 20_000 }: { readonly body?: unknown; readonly timeLimitMs?: number },
): Promise<string> {
  try {
    const answer = await fetch(path, {
      method,
      ...(body === undefined
        ? {}
        : { headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) }),
      signal: AbortSignal.timeout(timeLimitMs),
    });
    const text = await answer.text();
    if (!answer.ok) throw refusalOf(path, answer, text);
    return text;
  } catch (error) {
    throw error instanceof Refusal ? error : new Refusal(path, 0, String(error));
  }
}

function refusalOf(route: string, answer: Response, text: string) {
  const seconds = Number(answer.headers.get('retry-after') ?? NaN);
  const requestId = answer.headers.get('x-request-id');
  const told = attempt(() => JSON.parse(text) as { error?: unknown; reason?: unknown } | null);
  const { error = '', reason } = told ?? {};
  return new Refusal(route, answer.status, String(error), {
    ...(Number.isInteger(seconds) ? { retryAfterSeconds: seconds } : {}),
    ...(requestId === null ? {} : { requestId }),
    ...(reason === undefined ? {} : { word: String(reason) }),
    isUnknownPasskey: answer.headers.get('passkey-signal') === 'unknown',
  });
}

export function isExpired(error: unknown) {
  return error instanceof Refusal && error.status === 400 && /start again/i.test(error.reason);
}

/** The fault of the name, as the rest of a sentence; undefined for any other error. */
export function nameFault(error: unknown) {
  if (!(error instanceof Refusal) || error.status !== 400) return undefined;
  return /^(?:displayName|name) (.+)/.exec(error.reason)?.[1];
}

/** The field of a new account that a refusal is about; undefined where it is about none. */
export function fieldAtFault(error: unknown): 'name' | 'invite' | undefined {
  if (nameFault(error) !== undefined) return 'name';
  return error instanceof Refusal && error.answer.word === 'invite' ? 'invite' : undefined;
}
