import { appName, publishedBy } from '../client/client.js';

const URL_ID = 'https://app.example/client.json';

describe('app name', () => {
  it.each([
    ['the name of the client', 'Claude', 'aB3_-', 'Claude'],
    ['the name, trimmed', ' \t Claude\n', 'aB3_-', 'Claude'],
    ['the name of a published client', 'Claude', URL_ID, 'Claude'],
    ['the host of a published client without a name', undefined, URL_ID, 'app.example'],
    ['the host of a published client with an empty name', ' \u00a0 ', URL_ID, 'app.example'],
    ['a constant for a registered client without a name', undefined, 'aB3_-', 'an MCP client'],
    ['a constant for a registered client with an empty name', '  ', 'aB3_-', 'an MCP client'],
    ['a constant for an identifier that is no https URL', '', 'http://a.test/', 'an MCP client'],
    ['80 characters of a long name', 'a'.repeat(81), 'aB3_-', 'a'.repeat(80)],
    ['whole characters', '\u{1f600}'.repeat(81), 'aB3_-', '\u{1f600}'.repeat(80)],
    ['no space at its end', `${'a'.repeat(79)} b`, 'aB3_-', 'a'.repeat(79)],
  ])('is %s', (_what, clientName, clientId, name) => {
    expect(appName({ clientId, clientName })).toBe(name);
  });
});

describe('publisher of a client', () => {
  it.each([
    [URL_ID, 'app.example'],
    ['http://app.example/client.json', null],
    ['aB3_-', null],
  ])('of %s is %s', (clientId, host) => {
    expect(publishedBy(clientId)).toBe(host);
  });
});
