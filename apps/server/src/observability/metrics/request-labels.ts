const METHODS = new Set(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']);

const GRANT_TYPES = new Set(['authorization_code', 'refresh_token']);

const AREAS: readonly (readonly [RegExp, string])[] = [
  [/^\/svc\/auth\//, 'auth'],
  [/^\/svc\/oauth\/authorize$/, 'authorize'],
  [/^\/svc\/oauth\//, 'oauth'],
  [/^\/svc\/recovery$/, 'recovery'],
  [/^\/svc\/account(?:\/recover)?$/, 'account-page'],
  [/^\/svc\/me\/apps(?:\/|$)/, 'apps'],
  [/^\/svc\/me\/tabs$/, 'tabs'],
  [/^\/svc\/me(?:$|\/(?:passkeys|sessions|recovery-codes)(?:\/|$))/, 'account'],
  [/^\/svc\/mcp(?:\/|$)/, 'mcp'],
  [/^\/\.well-known\//, 'discovery'],
];

const CEREMONY = /^\/svc\/auth\/(register|login)\/(options|verify)$/;

/** The methods that exist here; a stranger may make up any other. */
export const methodLabel = (method = '') => (METHODS.has(method) ? method : 'other');

/** The pattern that a request matched, never its path: strangers may make up any number of paths. */
export const routeLabel = (pattern: unknown) =>
  typeof pattern === 'string' ? `/${pattern.replace(/^\//, '')}` : 'none';

/** The part of the service that a path belongs to. */
export const areaOf = (path: string) =>
  AREAS.find(([pattern]) => pattern.test(path))?.[1] ?? 'other';

export const grantTypeLabel = (grantType: unknown) =>
  typeof grantType === 'string' && GRANT_TYPES.has(grantType) ? grantType : 'other';

export interface CeremonyLabels {
  readonly kind: string;
  readonly outcome: 'started' | 'completed' | 'refused' | 'failed';
}

/** Which ceremony an answer was part of and how it went; undefined for anything else. */
export function ceremonyOf(path: string, method: string, status: number) {
  const [, kind, step] = CEREMONY.exec(path) ?? [];
  if (kind === undefined || method !== 'POST') return undefined;
  if (status >= 500) return { kind, outcome: 'failed' } satisfies CeremonyLabels;
  if (status >= 400) return { kind, outcome: 'refused' } satisfies CeremonyLabels;
  const outcome = step === 'options' ? 'started' : 'completed';
  return { kind, outcome } satisfies CeremonyLabels;
}
