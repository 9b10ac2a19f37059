import type { Finding } from '../finding.js';
import type { Answer, Ask } from './exchange.js';
import { plainHttpFindings, signedOut, tabUpgrade, transportFindings } from './outside-steps.js';

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
    date: new Date(NOW).toUTCString(),
    'cache-control': 'no-store',
    'strict-transport-security': 'max-age=1',
  };
  const inDays = (days: number) => new Date(NOW + days * 86_400_000);
  const told = (change: Answer['headers'], certificateEnds?: Date) => {
    const first = {
      ...answer(200, { ...headers, ...change }),
      ...(certificateEnds && { certificateEnds }),
    };
    return complaints([...transportFindings(first, NOW, NOW)]);
  };

  it('is right as it should be', () => {
    expect(told({}, inDays(60))).toEqual([]);
    expect(told({ 'strict-transport-security': undefined })).toEqual([]);
  });

  it.each<[string, Answer['headers'], number]>([
    ['warn the certificate is valid for 3 more days', {}, 3],
    ['warn there is no Strict-Transport-Security', { 'strict-transport-security': undefined }, 60],
    ['warn Cache-Control is public', { 'cache-control': 'public' }, 60],
    [
      'warn the clock of the server is 60.5 s ahead',
      { date: new Date(NOW + 60_000).toUTCString() },
      60,
    ],
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
