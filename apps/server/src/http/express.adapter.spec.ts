import { once } from 'node:events';
import { createServer, get, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { HeldBytes } from '#libs/platform';
import { eventually } from '#libs/platform/testing';
import { UPGRADED } from '#libs/tab-hub';
import { exactExpress, hasLongQuery, holdLargeHeads } from './express.adapter.js';

const numbered = (count: number) => Array.from({ length: count }, (_, n) => `p${n}=${n}`).join('&');

describe('a query', () => {
  it.each([
    ['no query', '/path&'.repeat(100)],
    ['64 parameters', `/?${numbered(64)}`],
    ['64 with nothing around them', `/?&&${numbered(64)}&&`],
    ['one with a long value', `/?p=${'?x='.repeat(5_000)}`],
  ])('is not long: %s', (_what, target) => {
    expect(hasLongQuery(target)).toBe(false);
  });

  it.each([
    ['65', numbered(65)],
    ['65 of one name', 'p=1&'.repeat(65)],
    ['65 without values', 'p&'.repeat(65)],
    ['65 without names', '=&'.repeat(65)],
    ['as many as fit into a request', 'p&'.repeat(8_000)],
  ])('is long: %s', (_what, query) => {
    expect(hasLongQuery(`/svc/auth/me?${query}`)).toBe(true);
  });
});

describe('the large heads of requests that are not answered', () => {
  const large = Object.fromEntries(
    Array.from({ length: 100 }, (_, n) => [`x-${n}`, 'x'.repeat(100)]),
  );

  it('have room up to a bound, beyond which the next is refused, and are forgotten with their requests', async () => {
    // One of them takes about 27,000 bytes beyond those of an ordinary head.
    const heads = new HeldBytes({ perHolder: 60_000, inAll: 60_000 });
    const waiting: ServerResponse[] = [];
    const app = exactExpress();
    app.use(holdLargeHeads(heads), (_request, response) => void waiting.push(response));
    const server = createServer(app);
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    const { port } = server.address() as AddressInfo;
    const ask = (headers = {}) => get({ host: '127.0.0.1', port, headers, agent: false });
    const statusOf = async (request: ReturnType<typeof ask>) => {
      const [answer] = (await once(request, 'response')) as [IncomingMessage];
      answer.resume();
      return answer.statusCode;
    };

    const [gone, answered] = [ask(large), ask(large)];
    await eventually(() => expect(waiting).toHaveLength(2));
    expect(heads.bytes).toBeGreaterThan(40_000);
    expect(await statusOf(ask(large))).toBe(503);
    const ordinary = ask();
    await eventually(() => expect(waiting).toHaveLength(3));
    gone.on('error', () => {}).destroy();
    for (const response of waiting.slice(1)) response.end();
    expect([await statusOf(answered), await statusOf(ordinary)]).toEqual([200, 200]);
    await eventually(() => expect(heads.bytes).toBe(0));

    const upgraded = ask(large);
    await eventually(() => expect(waiting).toHaveLength(4));
    expect(heads.bytes).toBeGreaterThan(20_000);
    waiting[3]?.emit(UPGRADED);
    expect(heads.bytes).toBe(0);
    waiting[3]?.end();
    expect(await statusOf(upgraded)).toBe(200);
    server.close();
  });
});
