import { type DocumentHost, startDocumentHost } from '../../../../../test/support/document-host.js';
import { DocumentFetch } from '../../client-document/document-fetch.js';
import type { Address } from '../../client-document/connectable-addresses.js';

const PUBLIC = { address: '93.184.216.34', family: 4 };
const LOOPBACK = { address: '127.0.0.1', family: 4 };
const MAPPED = { address: '::ffff:127.0.0.1', family: 6 };

describe('document fetch and addresses', () => {
  let host: DocumentHost;
  beforeEach(async () => {
    host = await startDocumentHost({ '/client': {} });
  });
  afterEach(() => host.close());

  const open = (lookup?: () => Promise<Address[]>, privateHosts: string[] = []) =>
    new DocumentFetch({
      privateHosts,
      certificates: [host.certificate],
      ...(lookup && { lookup }),
    });

  it.each([
    ['loopback', [LOOPBACK]],
    ['mapped loopback', [MAPPED]],
    ['public and private', [PUBLIC, LOOPBACK]],
    ['private and public', [LOOPBACK, PUBLIC]],
    ['no', []],
  ])('refuses a name with %s addresses without any connection', async (_what, addresses) => {
    const fetching = open(async () => addresses).getJson('https://app.example/client');
    await expect(fetching).rejects.toThrow('address');
    expect(host.connections).toBe(0);
  });

  it.each([
    'https://127.0.0.1/client',
    'https://2130706433/client',
    'https://0x7f.1/client',
    'https://[::1]/client',
    'https://[::ffff:127.0.0.1]/client',
    'https://[64:ff9b::7f00:1]/client',
    'https://169.254.169.254/latest',
    'https://0.0.0.0/client',
    'https://localhost/client',
  ])('refuses %s', async (url) => {
    await expect(open().getJson(url)).rejects.toThrow('special-use address');
  });

  it.each(['localhost', '127.0.0.1', '[::1]'])(
    'refuses another port, on %s too, without any connection',
    async (hostname) => {
      await expect(open().getJson(host.url('/client', hostname))).rejects.toThrow('port');
      expect(host.connections).toBe(0);
    },
  );

  it.each(['http://app.example/client', 'file:///etc/passwd', 'ftp://app.example/', 'x', ''])(
    'refuses %s',
    async (url) => {
      await expect(open().getJson(url)).rejects.toThrow('https');
    },
  );

  it('makes no exception for the private host on another port', async () => {
    const other = await startDocumentHost();
    const documents = open(undefined, [other.privateHost]);
    await expect(documents.getJson(host.url('/client'))).rejects.toThrow('port');
    await expect(documents.getJson('https://localhost/client')).rejects.toThrow('special-use');
    expect(host.connections).toBe(0);
    await other.close();
  });

  it('resolves a name once and connects to what it checked', async () => {
    let lookups = 0;
    const rebinding = async () => {
      lookups += 1;
      return [lookups === 1 ? LOOPBACK : PUBLIC];
    };
    const documents = open(rebinding, [`app.example:${host.port}`]);
    await expect(documents.getJson(host.url('/client', 'app.example'))).resolves.toBeDefined();
    expect(lookups).toBe(1);
  });

  it('goes to an address literal of a private host', async () => {
    const documents = open(undefined, [`127.0.0.1:${host.port}`]);
    await expect(documents.getJson(host.url('/client', '127.0.0.1'))).resolves.toBeDefined();
  });

  it.each([
    ['a blocked host', { blockedHosts: ['app.example'] }],
    ['a host that is not among the allowed ones', { allowedHosts: ['other.example'] }],
  ])('never asks %s, for a document or for a key set', async (_what, policy) => {
    const lookup = async () => Promise.reject(new Error('was asked'));
    const documents = new DocumentFetch({ privateHosts: [], lookup, ...policy });
    for (const name of ['app.example', 'APP.example', 'app.example.']) {
      const url = `https://${name}/client`;
      expect(documents.refusalOf(url)).toBe('is on a host that is not allowed');
      await expect(documents.getJson(url)).rejects.toThrow('not allowed');
      await expect(documents.fetch(url)).rejects.toThrow('not allowed');
    }
  });

  it('says when a name does not exist', async () => {
    const unknown = async () => Promise.reject(new Error('getaddrinfo ENOTFOUND app.example'));
    await expect(open(unknown).getJson('https://app.example/x')).rejects.toThrow('ENOTFOUND');
  });
});
