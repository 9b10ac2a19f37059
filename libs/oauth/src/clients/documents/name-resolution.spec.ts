import { createSocket, type Socket } from 'node:dgram';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import {
  resolveListedName,
  resolvePublicName,
} from '../../client-document/connectable-addresses.js';

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

  it('ends when it is told to', async () => {
    const waiting = new AbortController();
    const resolving = resolvePublicName('app.example', waiting.signal, servers());
    setTimeout(() => waiting.abort(), 20);
    await expect(resolving).rejects.toThrow('ECANCELLED');
    await expect(resolvePublicName('a.test', AbortSignal.abort(), servers())).rejects.toThrow();
  });

  it.each(['localhost', 'app.localhost', 'LOCALHOST.'])('asks nobody about %s', async (name) => {
    const addresses = await resolvePublicName(name, never, servers());
    expect(addresses).toEqual([{ address: '127.0.0.1', family: 4 }]);
    expect(questions).toBe(0);
  });

  it('finds listed names in the hosts file', async () => {
    expect(await resolveListedName('localhost', never)).not.toEqual([]);
  });
});
