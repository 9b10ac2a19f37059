import { setImmediate, setImmediate as turn } from 'node:timers/promises';
import type { ArgumentsHost, WsExceptionFilter } from '@nestjs/common';
import { AccountTurns } from '#libs/platform';
import { eventually } from '#libs/platform/testing';
import { TabBusDownError } from '../bus/tab-bus.js';
import type { PageTool } from '../protocol/page-tool.js';
import type { Send } from '../protocol/frames-from-tab.js';
import { TabHubTestbed } from './tab-hub.testbed.js';
import { TabInflowService } from './tab-inflow.service.js';
import type { TabSocket } from './tab-socket.js';
import { FrameErrorFilter, type TabsGateway } from './tabs.gateway.js';

const MAX_PENDING_SENDS = 32;

describe('TabsGateway', () => {
  let hub: TabHubTestbed;
  let gateway: TabsGateway;

  beforeEach(async () => {
    hub = new TabHubTestbed();
    await hub.start();
    ({ gateway } = hub);
  });
  afterEach(async () => {
    jest.useRealTimers();
    await hub.stop();
  });

  const send = (tab: TabSocket, to: string, id?: string) => gateway.send(tab, { to, body: 1, id });

  it('takes no frame of a tab that waits for 32 acks, until there are fewer', async () => {
    jest.useFakeTimers();
    const { tab } = await hub.connect();
    hub.bus.silentReplicas = 1;
    let done = 0;
    for (let n = 1; n <= MAX_PENDING_SENDS; n += 1) {
      void send(tab, '*', `m${n}`).then(() => (done += 1));
    }
    await turn();
    expect([done, tab.pendingSends]).toEqual([MAX_PENDING_SENDS - 1, MAX_PENDING_SENDS]);
    await jest.advanceTimersByTimeAsync(1_000);
    expect([done, tab.pendingSends]).toEqual([MAX_PENDING_SENDS, 0]);
  });

  it('takes no frame of a tab whose 32 messages are not on their way, until they are', async () => {
    const { tab } = await hub.connect();
    const { promise, resolve } = Promise.withResolvers<number>();
    hub.bus.publish = () => promise;
    let done = 0;
    for (let n = 1; n <= MAX_PENDING_SENDS; n += 1) void send(tab, '*').then(() => (done += 1));
    await turn();
    const before = [done, tab.pendingSends];
    resolve(1);
    expect(before).toEqual([MAX_PENDING_SENDS - 1, MAX_PENDING_SENDS]);
    await turn();
    expect([done, tab.pendingSends]).toEqual([MAX_PENDING_SENDS, 0]);
  });

  it('ends a tab whose message could not be sent', async () => {
    const { tab, closed } = await hub.connect();
    hub.bus.publish = async () => {
      throw new TabBusDownError();
    };
    await send(tab, '*');
    expect(await closed).toBe(1013);
  });
});

/** What pages offer, on its way from their frames into the presence. */
describe('TabsGateway and the tools of pages', () => {
  let hub: TabHubTestbed;
  let gateway: TabsGateway;
  let inflow: TabInflowService;

  beforeEach(async () => {
    hub = new TabHubTestbed();
    await hub.start();
    ({ gateway } = hub);
    inflow = new TabInflowService(hub.connections, new AccountTurns());
  });
  afterEach(async () => {
    jest.restoreAllMocks();
    jest.useRealTimers();
    await hub.stop();
  });

  const withSchema = (schema: object): PageTool => ({
    ...tool('a'),
    inputSchema: { type: 'object', ...schema },
  });
  const tool = (name: string, description = 'Paints.'): PageTool => ({ name, description });
  /** As Nest does. */
  const refuse = (tab: TabSocket, error: unknown) => {
    const filter: WsExceptionFilter = new FrameErrorFilter(hub.connections);
    filter.catch(error, { switchToWs: () => ({ getClient: () => tab }) } as ArgumentsHost);
  };
  const say = (tab: TabSocket, event: string, data?: object) =>
    inflow.take(tab, Buffer.from(JSON.stringify({ event, data })), {
      tools: async (tools) => {
        try {
          await gateway.tools(tab, tools as PageTool[]);
        } catch (error) {
          refuse(tab, error);
        }
      },
      ping: (ping) => gateway.ping(tab, ping),
      send: (send) => gateway.send(tab, send as Send),
    });
  const offer = (tab: TabSocket, ...tools: PageTool[]) => say(tab, 'tools', { tools });
  const pretend = () => jest.useFakeTimers();
  const pass = (ms: number) => jest.advanceTimersByTimeAsync(ms);
  const known = (tab: TabSocket) => hub.presence.find('ann', tab.id);

  it.each([
    ['are', true],
    ['are not', false],
  ])('that %s in order make room for others, and none is lost', async (_what, isValid) => {
    const [{ tab }, another, theirs] = [
      await hub.connect(),
      await hub.connect(),
      await hub.connect(),
    ];
    theirs.tab.userId = 'bob';
    pretend();
    const full = Array.from({ length: 20 }, (_, n) =>
      tool(`t${n}`, 'x'.repeat(isValid ? 2000 : 2001)),
    );
    const taken: string[] = [];
    const take = (from: TabSocket, who: string) => offer(from, ...full).then(() => taken.push(who));
    const all = Array.from({ length: 60 }, () => take(tab, 'one'));
    all.push(take(another.tab, 'another'), take(theirs.tab, 'theirs'));
    const ofOne = () => taken.filter((who) => who === 'one').length;
    await eventually(() => expect(ofOne()).toBe(51));
    await pass(0);
    expect(ofOne()).toBe(51);
    expect(taken).not.toContain('another');
    expect(taken).toContain('theirs');
    await pass(2_000);
    await Promise.all(all);
    expect((await known(tab))?.tools).toEqual(isValid ? full : []);
  });

  it.each(['tools', 'send'])(
    'and whatever else is long, such as %s, leave turns to others between those of an account',
    async (event) => {
      const tabs: TabSocket[] = [];
      while (tabs.length < 32) tabs.push((await hub.connect()).tab);
      const text = 'x'.repeat(10_000);
      const long = { tools: [tool('x', text)], to: '*', body: text };
      let taken = 0;
      const sent = tabs.map((tab) => say(tab, event, long).then(() => (taken += 1)));
      // What another account asks for comes now.
      await setImmediate();
      expect(taken).toBeLessThan(4);
      await Promise.all(sent);
      expect(taken).toBe(32);
    },
  );

  it('and frames that are many leave turns to others, once the account has used its 20 ms', async () => {
    const tabs: TabSocket[] = [];
    while (tabs.length < 32) tabs.push((await hub.connect()).tab);
    let taken = 0;
    const sent = Array.from({ length: 100 }, () =>
      tabs.map((tab) => say(tab, 'send', { to: '*', body: 1 }).then(() => (taken += 1))),
    );
    // What another account asks for comes now.
    await setImmediate();
    expect(taken).toBeGreaterThan(500);
    expect(taken).toBeLessThan(2000);
    await Promise.allSettled(sent.flat());
  });

  it.each<[object, string]>([
    [{ properties: { a: { type: 'text' } } }, 'it is no valid JSON Schema'],
    [{ $ref: 'https://example.com/schema' }, 'it has a $ref to what is not in it'],
    [{ properties: { a: { $ref: '#/$defs/none' } } }, 'it has a $ref to what is not in it'],
    [{ $schema: 'https://example.com/dialect' }, 'its $schema is none of'],
    [{ properties: { a: { pattern: '(' } } }, 'it has a pattern that is no regular expression'],
    [
      JSON.parse('{"properties":{"__proto__":{"type":"none"}}}') as object,
      'it is no valid JSON Schema',
    ],
  ])('are not kept with the schema %j', async (schema, fault) => {
    const { tab, frames } = await hub.connect();
    await offer(tab, tool('plain'));
    await offer(tab, tool('plain'), withSchema(schema));
    // The announcement of the first list may come behind it.
    const refusal = () => frames.find(({ event }) => event === 'error');
    await eventually(() => expect(refusal()).toBeDefined());
    expect(refusal()?.data).toMatchObject({
      code: 'bad_message',
      message: expect.stringContaining(`data.tools[1].inputSchema cannot be used: ${fault}`),
    });
    expect((await known(tab))?.tools).toEqual([tool('plain')]);
  });

  it('are not known when their tab leaves while their schemas are looked at', async () => {
    const { tab } = await hub.connect();
    const writes = jest.spyOn(hub.presence, 'offer');
    const offered = offer(tab, withSchema({}));
    // The frame has been taken, and its check has begun.
    await setImmediate();
    tab.close(1000);
    await offered;
    expect(writes).not.toHaveBeenCalled();
  });

  it('that change 1,000 times a second are written four times, the last ones always', async () => {
    const { tab } = await hub.connect();
    const writes = jest.spyOn(hub.presence, 'offer');
    pretend();
    for (let n = 1; n <= 1_000; n += 1) {
      await offer(tab, tool('a', `number ${n}`));
      await pass(1);
    }
    await pass(1_000);
    expect(writes.mock.calls.length).toBeLessThanOrEqual(6);
    expect((await known(tab))?.tools).toEqual([tool('a', 'number 1000')]);
    // The last list of tabs may have been announced late.
    for (let n = 0; n < 20 && jest.getTimerCount() > 0; n += 1) await pass(250);
    expect(jest.getTimerCount()).toBe(0);
  });

  it('that are offered again unchanged are not written again', async () => {
    const { tab } = await hub.connect();
    const writes = jest.spyOn(hub.presence, 'offer');
    pretend();
    await offer(tab);
    for (let n = 0; n < 3; n += 1) {
      await offer(tab, tool('a'));
      await pass(1_000);
    }
    expect(writes).toHaveBeenCalledTimes(1);
  });

  it('are not written once their tab has left', async () => {
    const { tab } = await hub.connect();
    const writes = jest.spyOn(hub.presence, 'offer');
    pretend();
    await offer(tab, tool('a'));
    await offer(tab, tool('b'));
    tab.close(1000);
    await pass(1_000);
    expect(writes).toHaveBeenCalledTimes(1);
  });

  it('end the connection when they cannot be written', async () => {
    const { tab, closed } = await hub.connect();
    const down = Object.assign(new Error('down'), { code: 'ECONNABORTED' });
    jest.spyOn(hub.presence, 'offer').mockRejectedValue(down);
    await offer(tab, tool('a'));
    expect(await closed).toBe(1013);
  });

  it('make it known when their page says something, once a second at most', async () => {
    pretend();
    const { tab } = await hub.connect();
    const writes = jest.spyOn(hub.presence, 'update');
    await say(tab, 'ping');
    expect(writes).not.toHaveBeenCalled();
    await offer(tab, tool('a'));
    const offeredAt = (await known(tab))?.lastFrameAt ?? 0;
    for (let n = 0; n < 30; n += 1) {
      await pass(100);
      await say(tab, 'ping');
    }
    expect(writes.mock.calls.length).toBeLessThanOrEqual(3);
    expect((await known(tab))?.lastFrameAt).toBeGreaterThan(offeredAt + 1_900);
    await say(tab, 'dance');
    expect((await known(tab))?.tools).toEqual([tool('a')]);
  });
});
