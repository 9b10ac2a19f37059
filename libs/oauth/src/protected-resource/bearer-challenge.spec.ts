import { bearerChallenge } from './bearer-challenge.js';
import { BearerError } from './bearer.error.js';

const SCOPES = ['account:read', 'code:run'];
const METADATA =
  'resource_metadata="https://gate.example/.well-known/oauth-protected-resource/svc/mcp"';
const challenge = (error: BearerError) => bearerChallenge(error, 'https://gate.example', SCOPES);

describe('bearer challenge', () => {
  it('accuses nobody who sent no token', () => {
    expect(challenge(new BearerError(undefined, 'a token is needed'))).toBe(
      `Bearer realm="OAuth", ${METADATA}, scope="account:read code:run"`,
    );
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
