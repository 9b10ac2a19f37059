import { isHostAllowed } from '../../client-document/document-fetch.js';

describe('host policy', () => {
  it.each([
    ['app.example', undefined, [], true],
    ['app.example', ['app.example'], [], true],
    ['sub.app.example', ['app.example'], [], false],
    ['sub.app.example', ['*.app.example'], [], true],
    ['app.example', ['*.app.example'], [], false],
    ['notapp.example', ['*.app.example'], [], false],
    ['app.example', [], [], false],
    ['app.example', undefined, ['app.example'], false],
    ['sub.app.example', undefined, ['app.example'], true],
    ['sub.app.example', undefined, ['*.app.example'], false],
    ['app.example', ['app.example'], ['app.example'], false],
    ['app.example', ['*.example'], ['other.example'], true],
    ['app.example.', undefined, ['app.example'], false],
    ['sub.app.example.', undefined, ['*.app.example'], false],
    ['app.example.', ['app.example'], undefined, true],
    ['app.example', undefined, undefined, true],
  ])(
    'of %s with allowed %j and blocked %j says %s',
    (host, allowedHosts, blockedHosts, allowed) => {
      expect(isHostAllowed(host, { allowedHosts, blockedHosts })).toBe(allowed);
    },
  );
});
