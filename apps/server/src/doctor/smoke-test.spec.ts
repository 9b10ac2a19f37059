import type { Finding } from './finding.js';
import {
  type Answer,
  type Ask,
  plainHttpFindings,
  refusal,
  signedOut,
  tabUpgrade,
  transportFindings,
  unreachable,
  wrongOrigin,
} from './smoke-test.js';

const ORIGIN = 'https://gate.example';
const NOW = Date.parse('2026-11-21T12:00:00Z');

const answer = (status: number, headers: Answer['headers'] = {}, text = ''): Answer => ({
  status,
  headers,
  text,
});

const complaints = (findings: readonly Finding[]) =>
  findings
    .filter(({ severity }) => severity !== 'ok')
    .map(({ severity, text }) => `${severity} ${text}`);

describe('what a first answer tells', () => {
  const headers = {
    'cache-control': 'no-store',
    'strict-transport-security': 'max-age=1',
  };
  const inDays = (days: number) => new Date(NOW + days * 86_400_000);
  const told = (change: Answer['headers'], certificateEnds?: Date) => {
    const first = {
      ...answer(200, { ...headers, ...change }),
      ...(certificateEnds && { certificateEnds }),
    };
    return complaints([...transportFindings(first, NOW)]);
  };

  it('is right as it should be', () => {
    expect(told({}, inDays(60))).toEqual([]);
    expect(told({ 'strict-transport-security': undefined })).toEqual([]);
  });

  it.each<[string, Answer['headers'], number]>([
    ['warn the certificate is valid for 3 more days', {}, 3],
    ['warn there is no Strict-Transport-Security', { 'strict-transport-security': undefined }, 60],
    ['warn Cache-Control is public', { 'cache-control': 'public' }, 60],
  ])('%s', (beginning, change, days) => {
    expect(told(change, inDays(days))).toEqual([expect.stringContaining(beginning)]);
  });
});

describe('a WebSocket upgrade', () => {
  it.each([
    [401, 'sign in first', 'ok a WebSocket upgrade'],
    [401, 'sign in first, over a WebSocket connection', 'FAIL .* drops upgrades'],
    [426, '', 'FAIL .* drops upgrades'],
    [400, '', 'FAIL .* drops upgrades'],
    [404, '', 'FAIL .* answers 404'],
    [101, '', 'FAIL .* answers 101'],
  ])('answered by %d "%s" is: %s', (status, text, words) => {
    const { severity, text: said } = tabUpgrade(ORIGIN).validate(answer(status, {}, text));
    expect(`${severity} ${said}`).toMatch(new RegExp(`^${words}`));
  });
});

describe('GET /svc/auth/me', () => {
  it.each([
    [200, '{"user":null,"budget":null}', 'ok'],
    [200, '<!doctype html>', 'FAIL'],
    [404, '', 'FAIL'],
  ])('answered by %d %s is %s', (status, text, severity) => {
    expect(signedOut.validate(answer(status, {}, text)).severity).toBe(severity);
  });
});

describe('plain http', () => {
  const told = async (origin: string, ask: Ask) => {
    const severities = [];
    for await (const { severity } of plainHttpFindings(origin, ask)) severities.push(severity);
    return severities;
  };
  const redirect = (location: string) => async () => answer(308, { location });

  it('has to redirect to the origin', async () => {
    expect(await told(ORIGIN, redirect(`${ORIGIN}/`))).toEqual(['ok']);
    expect(await told(ORIGIN, redirect('https://elsewhere.example/'))).toEqual(['warn']);
    expect(await told(ORIGIN, redirect('/'))).toEqual(['warn']);
    expect(await told(ORIGIN, async () => answer(200))).toEqual(['warn']);
    expect(await told(ORIGIN, () => Promise.reject(new Error('refused')))).toEqual(['warn']);
  });

  it('says nothing of an origin with a port, or without https', async () => {
    const ask = () => Promise.reject(new Error('asked'));
    expect(await told('https://gate.example:8443', ask)).toEqual([]);
    expect(await told('http://localhost', ask)).toEqual([]);
  });
});

describe('no answer at all', () => {
  it.each([
    [{ code: 'ECONNREFUSED' }, 'nothing listens there'],
    [{ code: 'CERT_HAS_EXPIRED' }, 'has expired'],
    [{ code: 'ERR_TLS_CERT_ALTNAME_INVALID' }, 'is for another host name'],
    [{ code: 'UNABLE_TO_VERIFY_LEAF_SIGNATURE' }, 'without the intermediate certificates'],
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
