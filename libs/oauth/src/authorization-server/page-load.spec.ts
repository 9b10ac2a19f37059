import { type FetchMetadata, isPageLoad, isSentByScript } from './page-load.js';

const nothing: FetchMetadata = {
  site: undefined,
  destination: undefined,
  navigationPreload: undefined,
};

describe('page load', () => {
  it.each<[string, Partial<FetchMetadata>, boolean]>([
    ['no headers at all', {}, true],
    ['a document from a link', { site: 'cross-site', destination: 'document' }, true],
    ['a document from the address bar', { site: 'none', destination: 'document' }, true],
    ['fetch of a script', { site: 'same-origin', destination: 'empty' }, false],
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

  it.each([
    [undefined, false],
    ['document', false],
    ['empty', true],
    ['', true],
    ['iframe', true],
  ])('a form with destination %s is sent by a script: %s', (destination, expected) => {
    expect(isSentByScript(destination)).toBe(expected);
  });
});
