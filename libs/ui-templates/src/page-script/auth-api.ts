/** What the service said instead of doing it; status 0 when nothing usable came back. */
export class Refusal extends Error {
  override readonly name = 'Refusal';

  constructor(
    readonly route: string,
    readonly status: number,
    readonly reason: string,
    readonly answer: Readonly<{ retryAfterSeconds?: number; requestId?: string }> = {},
  ) {
    super(`${route}: ${status} ${reason}`);
  }
}

/** Posts to the account area. Throws Refusal for every answer but success. */
export async function post<Answer>(route: string, body: unknown): Promise<Answer> {
  try {
    const answer = await fetch(`/svc/auth/${route}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
      signal: AbortSignal.timeout(20_000),
    });
    const text = await answer.text();
    if (!answer.ok) throw refusalOf(route, answer, text);
    return JSON.parse(text || '{}') as Answer;
  } catch (error) {
    throw error instanceof Refusal ? error : new Refusal(route, 0, String(error));
  }
}

function refusalOf(route: string, answer: Response, text: string) {
  const seconds = Number(answer.headers.get('retry-after') ?? NaN);
  const requestId = answer.headers.get('x-request-id');
  return new Refusal(route, answer.status, reasonIn(text), {
    ...(Number.isInteger(seconds) ? { retryAfterSeconds: seconds } : {}),
    ...(requestId === null ? {} : { requestId }),
  });
}

function reasonIn(text: string) {
  try {
    return String((JSON.parse(text) as { readonly error?: unknown }).error ?? '');
  } catch {
    return '';
  }
}

export function isExpired(error: unknown) {
  return error instanceof Refusal && error.status === 400 && /start again/i.test(error.reason);
}

/** What is wrong with the name, as the rest of a sentence; undefined for any other error. */
export function nameFault(error: unknown) {
  if (!(error instanceof Refusal) || error.status !== 400) return undefined;
  return /^displayName (.+)/.exec(error.reason)?.[1];
}
