import { type Address, connectableAddresses } from '../../client-document/connectable-addresses.js';

const PUBLIC = { address: '93.184.216.34', family: 4 };
const PUBLIC_6 = { address: '2606:2800:21f:cb07:6820:80da:af6b:8b2c', family: 6 };
const LOOPBACK = { address: '127.0.0.1', family: 4 };
const LINK_LOCAL = { address: 'fe80::1', family: 6 };
const never = new AbortController().signal;

const find = (host: string, known: Address[] = [], isPrivate = false) =>
  connectableAddresses(
    new URL(`https://${host}/client`),
    { isPrivate, lookup: async () => known },
    never,
  );

describe('addresses that may be connected to', () => {
  it('are all of a public name', async () => {
    await expect(find('app.example', [PUBLIC, PUBLIC_6])).resolves.toEqual([PUBLIC, PUBLIC_6]);
  });

  it.each([
    ['first', [LOOPBACK, PUBLIC]],
    ['second', [PUBLIC, LOOPBACK]],
    ['last', [PUBLIC, PUBLIC_6, LINK_LOCAL]],
  ])('are none when the %s is for special use', async (_which, known) => {
    await expect(find('app.example', known)).rejects.toMatchObject({
      message: expect.stringContaining('special-use address'),
      transient: true,
    });
    await expect(find('app.example', known, true)).resolves.toEqual(known);
  });

  it.each([
    ['127.0.0.1', LOOPBACK],
    ['2130706433', LOOPBACK],
    ['[::1]', { address: '::1', family: 6 }],
  ])('are checked when the host is one: %s', async (host, address) => {
    await expect(find(host)).rejects.toMatchObject({
      message: expect.stringContaining('special-use address'),
      transient: false,
    });
    await expect(find(host, [], true)).resolves.toEqual([address]);
  });

  it('are none for now when the name has none', async () => {
    await expect(find('app.example')).rejects.toMatchObject({ transient: true });
  });
});
