/** What the service said instead of doing it; status 0 when it could not be reached. */
export class Refusal extends Error {
  name = 'Refusal';

  constructor(status, message) {
    super(message);
    this.status = status;
  }
}

/** Who is signed in, and today's budget: `{ user, budget }`, both null when nobody is. */
export const fetchAccount = () => ask('GET', '/svc/auth/me');

export const signOut = () => ask('POST', '/svc/auth/logout');

/**
 * One request to the service. It is on the page's own origin, so the session cookie goes along by itself
 * and no script ever sees it. Throws Refusal for every answer but success.
 */
export async function ask(method, path, body) {
  const request = { method, signal: AbortSignal.timeout(20_000) };
  if (body !== undefined) {
    request.headers = { 'content-type': 'application/json' };
    request.body = JSON.stringify(body);
  }
  const answer = await fetch(path, request).catch(() => {
    throw new Refusal(0, 'the service cannot be reached; check that it runs and try again');
  });
  const text = await answer.text();
  if (!answer.ok) throw new Refusal(answer.status, reasonIn(text, answer));
  return text === '' ? undefined : JSON.parse(text);
}

/** Refusals are `{ "error": "…" }` in some places and plain text in others. */
function reasonIn(text, { status }) {
  try {
    return String(JSON.parse(text).error);
  } catch {
    return text === '' ? `the service answered ${status}` : text;
  }
}
