import { isInPassing } from './passing-request.js';

const headers = (site?: string, mode?: string, dest?: string) =>
  Object.fromEntries(
    Object.entries({ site, mode, dest }).map(([name, value]) => [`sec-fetch-${name}`, value]),
  );

describe('a request that a page of another origin makes in passing', () => {
  it.each([
    ['an image', 'cross-site', 'no-cors', 'image'],
    ['an image of a sibling', 'same-site', 'no-cors', 'image'],
    ['a fetch', 'cross-site', 'cors', 'empty'],
    ['a socket', 'cross-site', 'websocket', 'websocket'],
    ['a frame', 'cross-site', 'navigate', 'iframe'],
    ['an object', 'same-site', 'navigate', 'object'],
    ['one that says no more', 'cross-site', undefined, undefined],
  ])('is %s', (_what, site, mode, dest) => {
    expect(isInPassing(headers(site, mode, dest))).toBe(true);
  });

  it('is a page that is fetched ahead', () => {
    const ahead = { ...headers('cross-site', 'navigate', 'document'), 'sec-purpose': 'prefetch' };
    expect(isInPassing(ahead)).toBe(true);
  });

  it.each([
    ['a link, which the person followed', 'cross-site', 'navigate', 'document'],
    ['a link of a sibling', 'same-site', 'navigate', 'document'],
    ['a navigation that says no more', 'cross-site', 'navigate', undefined],
    ['what our own pages fetch', 'same-origin', 'cors', 'empty'],
    ['a bookmark', 'none', 'navigate', 'document'],
    ['a client that is no browser', undefined, undefined, undefined],
    ['a client that claims a mode alone', undefined, 'no-cors', 'image'],
  ])('is not %s', (_what, site, mode, dest) => {
    expect(isInPassing(headers(site, mode, dest))).toBe(false);
  });
});
