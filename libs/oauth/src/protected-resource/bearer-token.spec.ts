import { readBearerToken } from './bearer-token.js';

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
