import { createSocket, type Socket } from 'node:dgram';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import {
  type Address,
  connectableAddresses,
  isSpecialUseAddress,
  resolveListedName,
  resolvePublicName,
} from './connectable-addresses.js';

describe('special-use address', () => {
  it.each([
    '0.0.0.0',
    '0.1.2.3',
    '10.0.0.1',
    '10.255.255.255',
    '100.64.0.1',
    '100.127.255.255',
    '127.0.0.1',
    '127.255.255.254',
    '169.254.169.254',
    '172.16.0.1',
    '172.31.255.255',
    '192.0.0.1',
    '192.0.0.170',
    '192.0.2.1',
    '192.31.196.1',
    '192.52.193.1',
    '192.88.99.1',
    '192.168.0.1',
    '192.175.48.1',
    '198.18.0.1',
    '198.19.255.255',
    '198.51.100.1',
    '203.0.113.1',
    '224.0.0.1',
    '239.255.255.255',
    '240.0.0.1',
    '255.255.255.255',
    '::',
    '::1',
    '::127.0.0.1',
    '::8.8.8.8',
    '::ffff:127.0.0.1',
    '::ffff:7f00:1',
    '::ffff:8.8.8.8',
    '::ffff:0:8.8.8.8',
    '64:ff9b::7f00:1',
    '64:ff9b::8.8.8.8',
    '64:ff9b:1::1',
    '100::1',
    '100:0:0:1::1',
    '2001::1',
    '2001:0:4136:e378:8000:63bf:3fff:fdd2',
    '2001:2::1',
    '2001:3::1',
    '2001:4:112::1',
    '2001:10::1',
    '2001:20::1',
    '2001:30::1',
    '2001:1ff::1',
    '2001:db8::1',
    '2002:7f00:1::',
    '2002:808:808::1',
    '2620:4f:8000::1',
    '3ffe::1',
    '3fff::1',
    '4000::1',
    '5f00::1',
    '8000::1',
    'fc00::1',
    'fd12:3456:789a::1',
    'fe80::1',
    'fe80::1%eth0',
    'febf::1',
    'fec0::1',
    'ff02::1',
    '2001:4860:4860::8888%eth0',
    '',
    'localhost',
    'app.example',
    '999.1.1.1',
  ])('is %s', (address) => {
    expect(isSpecialUseAddress(address)).toBe(true);
  });

  it.each([
    '1.1.1.1',
    '8.8.8.8',
    '9.255.255.255',
    '11.0.0.0',
    '100.63.255.255',
    '100.128.0.0',
    '126.255.255.255',
    '128.0.0.0',
    '169.253.255.255',
    '172.15.255.255',
    '172.32.0.0',
    '192.0.1.1',
    '192.167.255.255',
    '198.17.255.255',
    '198.20.0.0',
    '223.255.255.255',
    '2001:200::1',
    '2001:4860:4860::8888',
    '2003::1',
    '2606:4700:4700::1111',
    '2a00:1450:4001::1',
  ])('is not %s', (address) => {
    expect(isSpecialUseAddress(address)).toBe(false);
  });
});

const A = 1;
const NOTHING = 99;
const never = new AbortController().signal;

describe('name resolution', () => {
  let server: Socket;
  let questions: number;
  const servers = () => [`127.0.0.1:${(server.address() as AddressInfo).port}`];

  beforeEach(async () => {
    questions = 0;
    server = createSocket('udp4');
    server.on('message', () => (questions += 1));
    server.bind(0, '127.0.0.1');
    await once(server, 'listening');
  });
  afterEach(() => server.close());

  /** Answers queries of this type with one address and others with none; or all of them with an error code. */
  const answer = (type: number, address: readonly number[], code = 0) =>
    server.on('message', (question, { port, address: asker }) => {
      const asked = question.readUInt16BE(question.indexOf(0, 12) + 1);
      const end = question.indexOf(0, 12) + 5;
      const header = Buffer.from(question.subarray(0, 12));
      header.writeUInt16BE(0x8180 | code, 2);
      header.writeUInt16BE(asked === type && code === 0 ? 1 : 0, 6);
      header.writeUInt32BE(0, 8);
      const record = [0xc0, 12, 0, type, 0, 1, 0, 0, 0, 60, 0, address.length, ...address];
      const records = asked === type && code === 0 ? Buffer.from(record) : Buffer.alloc(0);
      server.send(Buffer.concat([header, question.subarray(12, end), records]), port, asker);
    });

  it('gives the addresses of one family when there are none of the other', async () => {
    answer(A, [93, 184, 216, 34]);
    expect(await resolvePublicName('app.example', never, servers())).toEqual([
      { address: '93.184.216.34', family: 4 },
    ]);
    expect(questions).toBe(2);
  });

  it('gives no addresses when there are none', async () => {
    answer(NOTHING, []);
    expect(await resolvePublicName('app.example', never, servers())).toEqual([]);
  });

  it.each([
    [3, 'ENOTFOUND'],
    [2, 'ESERVFAIL'],
  ])('says that DNS answered with code %d', async (code, message) => {
    answer(A, [], code);
    await expect(resolvePublicName('app.example', never, servers())).rejects.toThrow(message);
  });

  it('gives up a server that does not answer, and asks it no second time', async () => {
    await expect(resolvePublicName('app.example', never, servers())).rejects.toThrow('ETIMEOUT');
    expect(questions).toBe(2);
  });

  it('ends when its signal aborts', async () => {
    const waiting = new AbortController();
    const resolving = resolvePublicName('app.example', waiting.signal, servers());
    setTimeout(() => waiting.abort(), 20);
    await expect(resolving).rejects.toThrow('ECANCELLED');
  });

  it('does not begin when its signal has aborted', async () => {
    const resolving = resolvePublicName('a.test', AbortSignal.abort(), servers());
    await expect(resolving).rejects.toThrow('aborted');
    expect(questions).toBe(0);
  });

  it('asks DNS for a name of which localhost is not the end', async () => {
    answer(A, [93, 184, 216, 34]);
    expect(await resolvePublicName('localhost.example', never, servers())).toEqual([PUBLIC]);
    expect(await resolvePublicName('notlocalhost', never, servers())).toEqual([PUBLIC]);
  });

  it.each(['localhost', 'app.localhost', 'LOCALHOST.'])(
    'resolves %s without a DNS query',
    async (name) => {
      const addresses = await resolvePublicName(name, never, servers());
      expect(addresses).toEqual([{ address: '127.0.0.1', family: 4 }]);
      expect(questions).toBe(0);
    },
  );

  it('finds listed names in the hosts file', async () => {
    const loopback = { address: expect.stringMatching(/^(?:127\.0\.0\.1|::1)$/) };
    expect(await resolveListedName('localhost', never)).toContainEqual(
      expect.objectContaining(loopback),
    );
  });
});

const PUBLIC = { address: '93.184.216.34', family: 4 };
const PUBLIC_6 = { address: '2606:2800:21f:cb07:6820:80da:af6b:8b2c', family: 6 };
const LOOPBACK = { address: '127.0.0.1', family: 4 };
const LINK_LOCAL = { address: 'fe80::1', family: 6 };

const find = (host: string, known: Address[] = [], isPrivate = false) =>
  connectableAddresses(new URL(`https://${host}/client`), isPrivate, never, async () => known);

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
    await expect(find('app.example')).rejects.toMatchObject({
      message: 'app.example has no address',
      transient: true,
    });
  });
});
