import { bearerChallenge, BearerError, readBearerToken } from './bearer.js';

const TOKEN = 'kzRz8RQ1b-_X.~+/9==';

describe('bearer token of a request', () => {
  it.each([
    ['as it should be', `Bearer ${TOKEN}`],
    ['in lower case', `bearer ${TOKEN}`],
    ['in upper case', `BEARER ${TOKEN}`],
    ['after several spaces', `Bearer   ${TOKEN}`],
    ['before spaces', `Bearer ${TOKEN}  `],
  ])('is read %s', (_how, authorization) => {
    expect(readBearerToken([authorization])).toBe(TOKEN);
  });

  it.each([
    ['no header', []],
    ['an empty header', ['']],
    ['another scheme', ['Basic dXNlcjpwYXNz']],
    ['a scheme that only begins like it', ['BearerX abc']],
    ['the scheme alone', ['Bearer']],
    ['the scheme and spaces', ['Bearer   ']],
    ['the token alone', [TOKEN]],
  ])('is absent with %s', (_what, authorizations) => {
    expect(readBearerToken(authorizations)).toBeUndefined();
    expect(readBearerToken(authorizations, true)).toBeUndefined();
  });

  it.each([
    ['a space', 'a b'],
    ['a comma', 'a, Bearer b'],
    ['quotes', '"a"'],
    ['a control character', 'a\u0001b'],
    ['a letter beyond ASCII', 'a\u00e9'],
    ['padding inside', 'a=b'],
    ['padding alone', '=='],
    ['more than 512 characters', 'a'.repeat(513)],
  ])('is malformed with %s', (_what, token) => {
    expect(() => readBearerToken([`Bearer ${token}`])).toThrow(
      expect.objectContaining({ status: 401, code: 'invalid_token' }),
    );
  });

  it.each([
    ['two headers', [`Bearer ${TOKEN}`, `Bearer ${TOKEN}`], false],
    ['two headers of different schemes', ['Basic abc', `Bearer ${TOKEN}`], false],
    ['one in the header, one in the query', [`Bearer ${TOKEN}`], true],
  ])('is refused with %s', (_what, authorizations, queryHasToken) => {
    expect(() => readBearerToken(authorizations, queryHasToken)).toThrow(
      expect.objectContaining({ status: 400, code: 'invalid_request' }),
    );
  });
});

const SCOPES = ['account:read', 'code:run'];
const METADATA =
  'resource_metadata="https://gate.example/.well-known/oauth-protected-resource/svc/mcp"';
const resource = {
  resource: 'https://gate.example/svc/mcp',
  scopes: SCOPES.map((name) => ({ name, description: name })),
};
const challenge = (error: BearerError) => bearerChallenge(error, resource);

describe('bearer challenge', () => {
  it('names no error without a token', () => {
    expect(challenge(new BearerError(undefined, 'a token is needed'))).toBe(
      `Bearer realm="OAuth", ${METADATA}, scope="account:read code:run"`,
    );
  });

  it('names those of the baseline where there are some, in the order of the metadata', () => {
    const scopes = [
      { name: 'b', description: 'b', baseline: true },
      { name: 'x', description: 'x' },
      { name: 'a', description: 'a', baseline: true },
    ];
    const named = bearerChallenge(new BearerError('invalid_token', 'no'), { ...resource, scopes });
    expect(named).toContain('scope="b a", error=');
  });

  it('says what is wrong with a token', () => {
    expect(challenge(new BearerError('invalid_token', 'it is unknown'))).toBe(
      `Bearer realm="OAuth", ${METADATA}, scope="account:read code:run", error="invalid_token", error_description="it is unknown"`,
    );
  });

  it('names the scopes to ask for', () => {
    expect(challenge(new BearerError('insufficient_scope', 'more', ['code:run']))).toContain(
      'scope="code:run", error="insufficient_scope"',
    );
  });

  it.each([
    [undefined, 401],
    ['invalid_request' as const, 400],
    ['invalid_token' as const, 401],
    ['insufficient_scope' as const, 403],
  ])('goes with %s as %i', (code, status) => {
    expect(new BearerError(code, '').status).toBe(status);
  });
});
