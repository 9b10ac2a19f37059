import { cleanAuthorizationQuery } from './authorization-query.js';

const SCOPES = ['account:read', 'tabs:read'];
const clean = (query: string) =>
  cleanAuthorizationQuery(new URLSearchParams(query), SCOPES).toString();

describe('cleaning an authorization request', () => {
  it.each([
    ['empty parameters count as absent', 'client_id=a&state=&scope=', 'client_id=a'],
    ['OpenID Connect parameters are ignored', 'client_id=a&nonce=1&max_age=0', 'client_id=a'],
    ['unknown scopes are ignored', 'scope=tabs:read+openid+offline_access', 'scope=tabs%3Aread'],
    ['scopes count once', 'scope=tabs:read+tabs:read', 'scope=tabs%3Aread'],
    ['nothing but unknown scopes is no scope', 'client_id=a&scope=openid', 'client_id=a'],
    ['prompt none stays', 'prompt=none', 'prompt=none'],
    ['other prompts are ours to decide', 'prompt=consent', ''],
    ['repeated parameters stay repeated', 'state=1&state=2', 'state=1&state=2'],
    ['a repeated scope stays repeated', 'scope=a&scope=b', 'scope=a&scope=b'],
    ['unknown parameters stay, to be ignored', 'utm=1', 'utm=1'],
  ])('%s', (_rule, query, cleaned) => {
    expect(clean(query)).toBe(cleaned);
  });
});
