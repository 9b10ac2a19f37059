import { refusal, unreachable, wrongOrigin } from './probe-errors.js';

const ORIGIN = 'https://gate.example';

describe('no answer at all', () => {
  it.each([
    [{ code: 'ECONNREFUSED' }, 'nothing listens there'],
    [{ code: 'CERT_HAS_EXPIRED' }, 'has expired'],
    [{ code: 'ERR_TLS_CERT_ALTNAME_INVALID' }, 'is for another host name'],
    [{ code: 'UNABLE_TO_VERIFY_LEAF_SIGNATURE' }, 'without the intermediate certificates'],
    [{ code: 'EPROTO' }, 'does not speak TLS'],
    [{ code: 'ABORT_ERR', message: 'The operation was aborted' }, 'does not answer in time'],
    [{ code: 'HPE_INVALID_CONSTANT' }, 'does not answer as HTTP servers do'],
  ])('%p is: %s', (error, words) => {
    const { severity, text } = unreachable(ORIGIN, error);
    expect({ severity, text }).toEqual({ severity: 'FAIL', text: expect.stringContaining(words) });
  });
});

describe('a refusal', () => {
  it.each([
    [421, {}, 'sees another origin'],
    [429, { 'retry-after': '60' }, 'too many requests'],
    [302, { location: 'https://www.gate.example/' }, 'redirected to https://www.gate.example/'],
    [502, {}, 'does not reach the service'],
    [503, {}, 'out of service'],
    [500, {}, 'step: 500'],
  ])('of %d with %p is: %s', (status, headers, words) => {
    const finding = refusal('step', ORIGIN, { status, headers, text: '' });
    expect(finding).toEqual({
      severity: 'FAIL',
      text: expect.stringContaining(words),
      remedy: expect.any(String),
    });
  });

  it.each([200, 201, 400, 401, 404, 426])('is not what %d explains', (status) => {
    expect(refusal('step', ORIGIN, { status, headers: {}, text: '' })).toBeUndefined();
  });
});

describe('a wrong origin', () => {
  it.each([
    ['http://gate.example/svc/mcp', 'X-Forwarded-Proto $scheme'],
    ['https://internal:3000/svc/mcp', 'proxy_set_header Host $host'],
    ['https://gate.example:8443/svc/mcp', '$host:$server_port'],
    ['https://gate.example/other', 'something else than Gatehouse'],
    [undefined, 'something else than Gatehouse'],
  ])('%s: says to set %s', (seen, words) => {
    const { text, remedy } = wrongOrigin('the resource', `${ORIGIN}/svc/mcp`, seen);
    expect(text).toBe(`the resource is ${seen} and not ${ORIGIN}/svc/mcp`);
    expect(remedy).toContain(words);
  });
});
