import { ClientDocumentError, freshForMs } from './client-document.js';

describe('cache control', () => {
  it.each([
    [undefined, 60],
    ['', 60],
    ['public', 60],
    ['max-age=3600', 3600],
    ['public, max-age=3600, immutable', 3600],
    ['MAX-AGE = 3600', 3600],
    ['max-age="3600"', 3600],
    ['max-age=0', 60],
    ['max-age=59', 60],
    ['max-age=86400', 86_400],
    ['max-age=86401', 86_400],
    [`max-age=${'9'.repeat(400)}`, 86_400],
    ['max-age=-5', 60],
    ['max-age=1h', 60],
    ['max-age=t3600', 60],
    ['max-age', 60],
    ['max-age=3600, max-age=7200', 3600],
    ['max-age=3600, s-maxage=600', 600],
    ['x-max-age=3600', 60],
    ['no-store', 60],
    ['max-age=3600, no-store', 60],
    ['no-cache, max-age=3600', 60],
    ['private, max-age=3600', 60],
    [',,=,', 60],
  ])('%j means %d seconds', (cacheControl, seconds) => {
    expect(freshForMs(cacheControl)).toBe(seconds * 1000);
  });
});

it('a document that was not accepted says something about its client, unless the failure is transient', () => {
  expect(new ClientDocumentError('x')).toMatchObject({
    name: 'ClientDocumentError',
    transient: false,
  });
  expect(new ClientDocumentError('x', { cause: 1 })).toMatchObject({ cause: 1, transient: false });
  expect(new ClientDocumentError('x', { transient: true })).toMatchObject({ transient: true });
});
