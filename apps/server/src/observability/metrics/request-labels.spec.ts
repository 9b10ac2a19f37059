import { areaOf, ceremonyOf, grantTypeLabel, methodLabel, routeLabel } from './request-labels.js';

describe('labels of requests', () => {
  it.each([
    ['GET', 'GET'],
    ['PROPFIND', 'other'],
    [undefined, 'other'],
  ])('method %s counts as %s', (method, label) => {
    expect(methodLabel(method)).toBe(label);
  });

  it.each([
    ['/svc/auth/me', '/svc/auth/me'],
    ['svc/mcp', '/svc/mcp'],
    [undefined, 'none'],
    [/regex/, 'none'],
  ])('route %s counts as %s', (pattern, label) => {
    expect(routeLabel({ route: pattern && { path: pattern } })).toBe(label);
  });

  it.each([
    ['/svc/auth/me', 'auth'],
    ['/svc/oauth/authorize', 'authorize'],
    ['/svc/oauth/token', 'oauth'],
    ['/svc/me/recovery-codes', 'account'],
    ['/svc/account', 'account-page'],
    ['/svc/account/x', 'other'],
    ['/svc/recovery', 'recovery'],
    ['/svc/recovery/x', 'other'],
    ['/svc/me/apps/x', 'apps'],
    ['/svc/me/appsx', 'other'],
    ['/svc/me', 'account'],
    ['/svc/me/passkeys/x', 'account'],
    ['/svc/me/sessions', 'account'],
    ['/svc/me/tabs', 'tabs'],
    ['/svc/mcp', 'mcp'],
    ['/.well-known/oauth-authorization-server', 'discovery'],
    ['/robots.txt', 'other'],
  ])('%s belongs to %s', (path, area) => {
    expect(areaOf(path)).toBe(area);
  });

  it.each([
    ['/svc/auth/register/options', 'POST', 200, { kind: 'register', outcome: 'started' }],
    ['/svc/auth/register/verify', 'POST', 200, { kind: 'register', outcome: 'completed' }],
    ['/svc/auth/login/verify', 'POST', 400, { kind: 'login', outcome: 'refused' }],
    ['/svc/auth/login/verify', 'POST', 503, { kind: 'login', outcome: 'failed' }],
    ['/svc/auth/login/verify', 'GET', 405, undefined],
    ['/svc/auth/logout', 'POST', 204, undefined],
  ])('%s by %s with %d is %j', (path, method, status, labels) => {
    expect(ceremonyOf(path, method, status)).toEqual(labels);
  });

  it('knows the grant types, and no other', () => {
    expect(['authorization_code', 'refresh_token', 'x', undefined].map(grantTypeLabel)).toEqual([
      'authorization_code',
      'refresh_token',
      'other',
      'other',
    ]);
  });
});
