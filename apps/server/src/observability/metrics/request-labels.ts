const METHODS = new Set(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']);

const GRANT_TYPES = new Set([
  'authorization_code',
  'refresh_token',
  'client_credentials',
  'urn:ietf:params:oauth:grant-type:jwt-bearer',
]);

const AREAS: readonly (readonly [RegExp, string])[] = [
  [/^\/svc\/auth\//, 'auth'],
  [/^\/svc\/oauth\/authorize$/, 'authorize'],
  [/^\/svc\/(?:oauth\/|introspect$)/, 'oauth'],
  [/^\/svc\/recovery$/, 'recovery'],
  [/^\/svc\/account(?:\/recover)?$/, 'account-page'],
  [/^\/svc\/me\/(?:managed-)?apps(?:\/|$)/, 'apps'],
  [/^\/svc\/me\/tabs$/, 'tabs'],
  [/^\/svc\/me(?:$|\/(?:passkeys|sessions|recovery-codes)(?:\/|$))/, 'account'],
  [/^\/svc\/mcp(?:\/|$)/, 'mcp'],
  [/^\/(?:\.well-known\/|svc\/jwks$)/, 'discovery'],
];

const CEREMONY = /^\/svc\/auth\/(register|login)\/(options|verify)$/;

/** Only known methods become labels: a client may send any other text. */
export const methodLabel = (method = '') => (METHODS.has(method) ? method : 'other');

/** The pattern that a request matched, never its path: clients can make up any number of paths. */
export function routeLabel({ route }: { readonly route?: unknown }): string {
  const { path: pattern } = Object(route) as { readonly path?: unknown };
  return typeof pattern === 'string' ? `/${pattern.replace(/^\//, '')}` : 'none';
}

export const areaOf = (path: string) =>
  AREAS.find(([pattern]) => pattern.test(path))?.[1] ?? 'other';

export const grantTypeLabel = (grantType: unknown) =>
  typeof grantType === 'string' && GRANT_TYPES.has(grantType) ? grantType : 'other';

interface CeremonyLabels {
  readonly kind: string;
  readonly outcome: 'started' | 'completed' | 'refused' | 'failed';
}

/** The ceremony that an answer was part of, with its outcome; undefined for any other request. */
export function ceremonyOf(path: string, method: string, status: number) {
  const [, kind, step] = CEREMONY.exec(path) ?? [];
  if (kind === undefined || method !== 'POST') return undefined;
  if (status >= 500) return { kind, outcome: 'failed' } satisfies CeremonyLabels;
  if (status >= 400) return { kind, outcome: 'refused' } satisfies CeremonyLabels;
  const outcome = step === 'options' ? 'started' : 'completed';
  return { kind, outcome } satisfies CeremonyLabels;
}
