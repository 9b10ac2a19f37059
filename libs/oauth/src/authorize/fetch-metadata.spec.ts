import {
  type FetchMetadata,
  isForeignAnswer,
  isFormSubmission,
  isPageLoad,
} from './fetch-metadata.js';

const nothing: FetchMetadata = {
  site: undefined,
  mode: undefined,
  destination: undefined,
  navigationPreload: undefined,
};

describe('page load', () => {
  it.each<[string, Partial<FetchMetadata>, boolean]>([
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
  ])('%s', (_what, headers, expected) => {
    expect(isPageLoad({ ...nothing, ...headers })).toBe(expected);
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
    expect(isFormSubmission({ ...nothing, destination, mode })).toBe(expected);
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
    expect(isForeignAnswer(OWN, origin, { ...nothing, site })).toBe(expected);
  });
});
