import type { Socket } from 'node:net';
import { setImmediate } from 'node:timers/promises';
import { Browser } from '../support/browser.js';
import { useGatehouse } from '../support/gatehouse.js';
import { TabClient } from '../support/tab-client.js';

const frame = (event: unknown, data?: unknown) => JSON.stringify({ event, data });
const nested = (levels: number) => '['.repeat(levels) + ']'.repeat(levels);

const tools = (length: number) =>
  Array.from({ length }, (_, n) => ({ name: `t${n}`, description: 'd' }));
const inputSchema = { type: 'object', description: 'x'.repeat(9 * 1024) };

const BAD: readonly (readonly [string, string | Buffer])[] = [
  ['a binary frame', Buffer.from(frame('ping'))],
  ['an empty frame', ''],
  ['broken JSON', '{"event":"ping"'],
  ['a list', '[]'],
  ['null', 'null'],
  ['a string', '"ping"'],
  ['a number', '1'],
  ['no event', '{}'],
  ['an unknown event', frame('dance')],
  ['an event that is no string', frame(['ping'])],
  ...['__proto__', 'constructor', 'toString', 'hasOwnProperty', 'close', 'welcome'].map(
    (event) => [`the event ${event}`, frame(event, {})] as const,
  ),
  ['an event beside its place', '{"__proto__":{"event":"ping"}}'],
  ['hello with a list', frame('hello', [])],
  ['hello with a string', frame('hello', 'x')],
  ['a title that is no string', frame('hello', { title: 1 })],
  ['a title of null', frame('hello', { title: null })],
  ['a title of 201 characters', frame('hello', { title: 'x'.repeat(201) })],
  ['a URL of 2049 characters', frame('hello', { url: 'x'.repeat(2049) })],
  ['send without data', frame('send')],
  ['send without a target', frame('send', { body: 1 })],
  ['send to a number', frame('send', { to: 1, body: 1 })],
  ['send to an empty name', frame('send', { to: '', body: 1 })],
  ['send to a list', frame('send', { to: ['*'], body: 1 })],
  ['send without a body', frame('send', { to: '*' })],
  ['send with a number as id', frame('send', { to: '*', body: 1, id: 1 })],
  ['send with an id of 129 characters', frame('send', { to: '*', body: 1, id: 'x'.repeat(129) })],
  ['a body in a prototype', '{"event":"send","data":{"to":"*","__proto__":{"body":1}}}'],
  ['a result without data', frame('result')],
  ['a result for nothing', frame('result', { id: 'x', ok: true, value: 1 })],
  ['a result for __proto__', frame('result', { id: '__proto__', ok: true, value: 1 })],
  ['a result for constructor', frame('result', { id: 'constructor', ok: true })],
  ['a result that is neither', frame('result', { id: 'x', ok: 'true' })],
  ['a refusal without words', frame('result', { id: 'x', ok: false })],
  ['progress without a number', frame('progress', { id: 'x', progress: '1' })],
  ['progress of nothing', frame('progress', { id: '__proto__', progress: 1 })],
  ['tools without a list', frame('tools', {})],
  ['65 tools', frame('tools', { tools: tools(65) })],
  ['tools in a list', frame('tools', tools(1))],
  ['a tool without a description', frame('tools', { tools: [{ name: 'a' }] })],
  ['a tool with a schema of 9 KiB', frame('tools', { tools: [{ ...tools(1)[0], inputSchema }] })],
  [
    'a tool with a value that people do not see whole',
    frame('tools', {
      tools: [{ ...tools(1)[0], inputSchema: { type: 'object', default: { a: 'x\u{e0041}' } } }],
    }),
  ],
  ['101 levels', `{"event":"ping","data":${nested(100)}}`],
  ['30000 levels', `{"event":"send","data":{"to":"*","body":${nested(30_000)}}}`],
  ['30000 levels of broken JSON', '[{"a":'.repeat(10_000)],
];

describe('what a tab should not say', () => {
  const gatehouse = useGatehouse();
  let browser: Browser;
  let tab: TabClient;
  let other: TabClient;

  beforeEach(async () => {
    browser = new Browser(gatehouse);
    await browser.signUp();
    tab = await TabClient.open(gatehouse, browser);
    other = await TabClient.open(gatehouse, browser);
    await tab.sees(tab, other);
  });
  afterEach(async () => {
    await browser.agent.get('/svc/auth/me').expect(200);
    await Promise.all([tab.close(), other.close()]);
  });

  it('is answered with bad_message, one by one and in order, and nothing else happens', async () => {
    for (const [what, bytes] of BAD) {
      tab.frames.length = 0;
      tab.socket.send(bytes);
      await tab.settle();
      const events = tab.frames.map(({ event, data }) => [event, data?.['code']]);
      expect([what, ...events]).toEqual([what, ['error', 'bad_message'], ['pong', undefined]]);
      const { message } = tab.frames[0]?.data ?? {};
      expect(message).toMatch(/^[\x20-\x7e]{5,100}$/);
    }
    await other.settle();
    expect(other.received('message')).toEqual([]);
    expect(other.received('error')).toEqual([]);
  });

  it('odd but good frames are taken', async () => {
    tab.socket.send(' {"data":{"title":"T","more":1},"event":"hello","x":[]} ');
    tab.say('hello');
    await other.until(() => other.tabs[0]?.title === 'T', 'the title');
    tab.socket.send(`{"event":"ping","data":${nested(99)}}`, { fin: false });
    tab.socket.send('', { fin: true });
    await tab.until(() => tab.received('pong').length > 0, 'pong');
    const body = JSON.parse('{"__proto__":{"admin":true},"constructor":1}') as unknown;
    tab.say('send', { to: other.id, body });
    expect(JSON.stringify(await other.next('message'))).toContain('"__proto__":{"admin":true}');
    expect(tab.received('error')).toEqual([]);
  });

  it('64 KiB are taken, one byte more ends the connection with 1009', async () => {
    const rest = frame('send', { to: other.id, body: '' }).length;
    tab.say('send', { to: other.id, body: 'x'.repeat(65_536 - rest) });
    const { body } = await other.next<{ body: string }>('message');
    expect(body).toHaveLength(65_536 - rest);
    tab.socket.send('x'.repeat(65_537));
    expect((await tab.closed).code).toBe(1009);
    await other.sees(other);
  });

  it('16 pieces of a frame are taken, one more ends the connection with 1008', async () => {
    const pieces = (count: number) => {
      tab.socket.send('{"event":"ping","data":1', { fin: false });
      for (let n = 2; n < count; n += 1) tab.socket.send('', { fin: false });
      tab.socket.send('}', { fin: true });
    };
    pieces(16);
    await tab.next('pong');
    pieces(17);
    expect((await tab.closed).code).toBe(1008);
  });

  it('a frame that comes byte by byte ends the connection with 1008', async () => {
    const { _socket: raw } = tab.socket as unknown as { _socket: Socket };
    raw.setNoDelay();
    const HEADER = [0x81, 0xfe, 0xff, 0xff, 0, 0, 0, 0];
    raw.write(Buffer.from(HEADER));
    for (let n = 0; n < 60_000 && tab.socket.readyState === tab.socket.OPEN; n += 1) {
      raw.write('x');
      await setImmediate();
    }
    expect((await tab.closed).code).toBe(1008);
  });

  it('text that is not UTF-8 ends the connection with 1007', async () => {
    tab.socket.send(Buffer.from([0x22, 0xff, 0x22]), { binary: false });
    expect((await tab.closed).code).toBe(1007);
  });

  it('bytes that are no frame end the connection with 1002', async () => {
    const { _socket: raw } = tab.socket as unknown as { _socket: { write(bytes: Buffer): void } };
    raw.write(Buffer.from([0xff, 0xff, 0xff, 0xff]));
    expect((await tab.closed).code).toBe(1002);
  });
});
