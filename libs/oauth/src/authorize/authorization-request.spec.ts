import { ResourcesService } from '../resource/resource.js';
import {
  cleanAuthorizationQuery,
  isAmbiguous,
  isForeignAnswer,
  isFormSubmission,
  isPageLoad,
} from './authorization-request.js';

const ORIGIN = 'https://gate.example';
const scopesOf = (...names: string[]) => names.map((name) => ({ name, description: name }));
const resources = new ResourcesService({
  serviceName: 'Gate',
  scopes: scopesOf('account:read', 'tabs:read'),
  resources: [
    {
      resource: 'https://notes.example/mcp',
      name: 'Notes',
      scopes: scopesOf('notes:read', 'notes:write'),
      tokens: 'opaque',
    },
  ],
});
const clean = (query: string) =>
  cleanAuthorizationQuery(new URLSearchParams(query), ORIGIN, resources).toString();

describe('cleaning an authorization request', () => {
  it.each([
    ['empty parameters count as absent', 'client_id=a&state=&scope=', 'client_id=a'],
    ['OpenID Connect parameters are ignored', 'client_id=a&nonce=1&max_age=0', 'client_id=a'],
    ['unknown scopes are ignored', 'scope=tabs:read+openid+offline_access', 'scope=tabs%3Aread'],
    ['scopes count once', 'scope=tabs:read+tabs:read', 'scope=tabs%3Aread'],
    ['nothing but unknown scopes is no scope', 'client_id=a&scope=openid', 'client_id=a'],
    ['prompts are ours to decide', 'prompt=consent&prompt=none', ''],
    ['repeated parameters stay repeated', 'state=1&state=2', 'state=1&state=2'],
    ['a repeated scope stays repeated', 'scope=a&scope=b', 'scope=a&scope=b'],
    ['unknown parameters stay, to be ignored', 'utm=1', 'utm=1'],
    ['the response mode query stays', 'response_mode=query', 'response_mode=query'],
    [
      'other response modes become one that the library refuses',
      'response_mode=form_post',
      'response_mode=unsupported',
    ],
    [
      'our resource gets our spelling, once',
      'resource=HTTPS://gate.example:443/svc/mcp/&resource=https://gate.example/svc/mcp',
      'resource=https%3A%2F%2Fgate.example%2Fsvc%2Fmcp',
    ],
    ['other resources stay', 'resource=urn:x', 'resource=urn%3Ax'],
    [
      'a further resource gets its spelling, once',
      'resource=https://NOTES.example/mcp/&resource=https://notes.example/mcp',
      'resource=https%3A%2F%2Fnotes.example%2Fmcp',
    ],
    [
      'of two resources both stay',
      'resource=https://notes.example/mcp&resource=https://gate.example/svc/mcp',
      'resource=https%3A%2F%2Fnotes.example%2Fmcp&resource=https%3A%2F%2Fgate.example%2Fsvc%2Fmcp',
    ],
    [
      'scopes of other resources than the requested one are ignored',
      'scope=tabs:read+notes:read&resource=https://notes.example/mcp',
      'scope=notes%3Aread&resource=https%3A%2F%2Fnotes.example%2Fmcp',
    ],
    ['scopes of further resources are none of the default one', 'scope=notes:read', ''],
  ])('%s', (_rule, query, cleaned) => {
    expect(clean(query)).toBe(cleaned);
  });

  it('cannot tell whom to answer when client or redirect URI are given twice', () => {
    const ambiguous = (query: string) => isAmbiguous(new URLSearchParams(query));
    expect(ambiguous('client_id=a&client_id=a')).toBe(true);
    expect(ambiguous('redirect_uri=a&redirect_uri=b')).toBe(true);
    expect(ambiguous('client_id=a&redirect_uri=b&state=1&state=2')).toBe(false);
  });
});

interface Told {
  site?: string | undefined;
  mode?: string | undefined;
  destination?: string | undefined;
  navigationPreload?: string;
}

const headersOf = ({ site, mode, destination, navigationPreload }: Told) => ({
  'sec-fetch-site': site,
  'sec-fetch-mode': mode,
  'sec-fetch-dest': destination,
  'service-worker-navigation-preload': navigationPreload,
});

describe('page load', () => {
  it.each<[string, Told, boolean]>([
    ['no headers at all', {}, true],
    ['a document from a link', { site: 'cross-site', destination: 'document' }, true],
    ['a document from the address bar', { site: 'none', destination: 'document' }, true],
    ['fetch of a script', { site: 'same-origin', destination: 'empty' }, false],
    ['a service worker', { destination: 'empty', mode: 'navigate' }, false],
    ['a frame', { site: 'same-origin', destination: 'iframe' }, false],
    ['an old frame', { site: 'same-origin', destination: 'frame' }, false],
    ['an object', { site: 'same-origin', destination: 'object' }, false],
    ['a destination of another spelling', { destination: 'Document' }, false],
    ['an empty destination', { destination: '' }, false],
    ['a site without a destination', { site: 'same-origin' }, false],
    ['a preload for a service worker', { destination: 'document', navigationPreload: 'x' }, false],
  ])('%s', (_what, told, expected) => {
    expect(isPageLoad(headersOf(told))).toBe(expected);
  });
});

describe('form submission', () => {
  it.each<[string | undefined, string | undefined, boolean]>([
    [undefined, undefined, true],
    [undefined, 'cors', true],
    ['document', 'navigate', true],
    ['empty', 'navigate', true],
    ['empty', 'cors', false],
    ['empty', 'same-origin', false],
    ['empty', 'no-cors', false],
    ['empty', undefined, false],
    ['', 'navigate', false],
    ['iframe', 'navigate', false],
  ])('destination %s and mode %s: %s', (destination, mode, expected) => {
    expect(isFormSubmission(headersOf({ destination, mode }))).toBe(expected);
  });
});

describe('an answer of a page of another origin, by Origin and Sec-Fetch-Site', () => {
  const OWN = 'https://gate.example';

  it.each<[string | undefined, string | undefined, boolean]>([
    [OWN, 'same-origin', false],
    [OWN, undefined, false],
    [undefined, undefined, false],
    [undefined, 'none', false],
    ['null', 'same-origin', false],
    ['null', undefined, true],
    ['null', 'none', true],
    ['null', 'cross-site', true],
    ['null', 'Same-Origin', true],
    ['https://evil.example', 'same-origin', true],
    ['', 'same-origin', true],
    [OWN, 'same-site', true],
    [undefined, 'cross-site', true],
  ])('%s and %s: %s', (origin, site, expected) => {
    expect(isForeignAnswer(OWN, { origin, ...headersOf({ site }) })).toBe(expected);
  });
});
