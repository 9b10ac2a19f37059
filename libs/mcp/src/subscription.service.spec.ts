import { eventually, liveHeapBytes } from '#libs/platform/testing';
import { messagesOf, modernEra } from './testbed/messages.testbed.js';
import { ResourceServer } from './testbed/resource-server.testbed.js';
import type { McpCaller } from './call.js';
import { AccountResources } from './resource.js';
import { SubscriptionsService } from './subscription.service.js';
import { AccountTools } from './tool.js';

const ID = 'io.modelcontextprotocol/subscriptionId';

class ChangingTools extends AccountTools {
  readonly prefix = 'page_';
  readonly listeners = new Set<() => void>();
  readonly users: string[] = [];
  /** Whether each caller that they were asked about may see them. */
  readonly asked: boolean[] = [];

  async list() {
    return [];
  }

  async find() {
    return undefined;
  }

  override isShownTo({ scopes }: McpCaller) {
    this.asked.push(scopes.includes('tabs:write'));
    return scopes.includes('tabs:write');
  }

  onChanged(userId: string, listener: () => void) {
    this.users.push(userId);
    this.listeners.add(listener);
    return () => void this.listeners.delete(listener);
  }

  change() {
    for (const listener of this.listeners) listener();
  }
}

describe('streams that only listen (contract: MCP endpoint)', () => {
  let server: ResourceServer;
  let tools: ChangingTools;

  beforeEach(async () => {
    tools = new ChangingTools();
    server = await ResourceServer.startWith([{ provide: AccountTools, useValue: tools }]);
    await server.give('ann');
    await server.give('bob', { userId: 'bob' });
  });
  afterEach(() => server.close());

  async function listen(token: string, notifications: object = { toolsListChanged: true }) {
    const client = new AbortController();
    const message = modernEra.message('subscriptions/listen', { notifications });
    const headers = modernEra.headers('subscriptions/listen');
    const response = await server.post(token, message, headers, client.signal);
    const messages = messagesOf(response);
    const next = async () => (await messages.next()).value as unknown;
    return { response, next, client };
  }
  const listeners = async (count: number) =>
    eventually(() => expect(tools.listeners.size).toBe(count));
  const changed = {
    jsonrpc: '2.0',
    method: 'notifications/tools/list_changed',
    params: { _meta: { [ID]: 7 } },
  };

  it('say first what they listen for, then that tools of the account changed', async () => {
    const { response, next, client } = await listen('ann');
    expect(response.headers.get('content-type')).toBe('text/event-stream');
    expect(response.headers.get('x-accel-buffering')).toBe('no');
    expect(await next()).toEqual({
      jsonrpc: '2.0',
      method: 'notifications/subscriptions/acknowledged',
      params: { notifications: { toolsListChanged: true }, _meta: { [ID]: 7 } },
    });
    await listeners(1);
    tools.change();
    expect(await next()).toEqual(changed);
    expect(tools.users).toEqual(['ann']);
    client.abort();
    await listeners(0);
  });

  it('tell nothing while their list has nothing for the app', async () => {
    const { next } = await listen('ann');
    await next();
    await listeners(1);
    const permit = async (permissions: string | null) =>
      server.dataSource.query('UPDATE oauth_grants SET permissions = ?', [permissions]);
    await permit('{"tabs:write":"off"}');
    tools.change();
    await eventually(() => expect(tools.asked).toEqual([true, false]));
    await permit(null);
    tools.change();
    expect(await next()).toEqual(changed);
    expect(tools.asked).toEqual([true, false, true]);
    server.get(SubscriptionsService).endAll();
    expect(await next()).toMatchObject({ id: 7 });
  });

  it('outlast their token', async () => {
    const { next } = await listen('ann');
    await next();
    await listeners(1);
    await server.dataSource.query('DELETE FROM oauth_tokens');
    tools.change();
    expect(await next()).toEqual(changed);
  });

  it('end at once for an app for which their list has nothing', async () => {
    await server.give('narrow', { scope: 'account:read' });
    const { next } = await listen('narrow');
    expect(await next()).toMatchObject({ params: { notifications: {} } });
    expect(await next()).toMatchObject({ id: 7, result: {} });
    expect(tools.users).toEqual([]);
  });

  it('are cut when a change finds that their access has ended', async () => {
    const { next } = await listen('ann');
    await next();
    await listeners(1);
    await server.dataSource.query('UPDATE oauth_grants SET revoked_at = 1');
    tools.change();
    await expect(next()).rejects.toThrow();
    await listeners(0);
  });

  it('say once what changes a thousand times in a moment', async () => {
    const { next } = await listen('ann');
    await next();
    await listeners(1);
    const at = performance.now();
    for (let n = 0; n < 1_000; n += 1) tools.change();
    expect([await next(), await next()]).toEqual([changed, changed]);
    expect(performance.now() - at).toBeGreaterThan(400);
    server.get(SubscriptionsService).endAll();
    expect(await next()).toMatchObject({ id: 7 });
  });

  it('end in good order with their replica, and so does each that begins then', async () => {
    const { next } = await listen('ann');
    await next();
    const subscriptions = server.get(SubscriptionsService);
    await listeners(1);
    subscriptions.endAll();
    const end = { jsonrpc: '2.0', id: 7, result: { resultType: 'complete', _meta: { [ID]: 7 } } };
    expect(await next()).toMatchObject(end);
    expect(await next()).toBeUndefined();
    const late = await listen('ann');
    await late.next();
    expect(await late.next()).toMatchObject(end);
    expect(Reflect.get(subscriptions, 'open')).toEqual(new Map());
  });

  it('are eight an account, and take no place of a call or of another account', async () => {
    const streams = await Promise.all(Array.from({ length: 8 }, () => listen('ann')));
    const refused = await listen('ann');
    expect(refused.response.status).toBe(429);
    expect((await listen('bob')).response.status).toBe(200);
    const list = { jsonrpc: '2.0', id: 1, method: 'tools/list' };
    expect((await server.post('ann', Array(32).fill(list))).status).toBe(200);
    streams[0]?.client.abort();
    await eventually(async () => expect((await listen('ann')).response.status).toBe(200));
  });

  it('keep nothing of what was posted', async () => {
    const { response: warm } = await listen('ann', { toolsListChanged: true, more: 'x' });
    const before = await liveHeapBytes();
    const notifications = { toolsListChanged: true, more: 'x'.repeat(500_000) };
    const message = JSON.stringify(modernEra.message('subscriptions/listen', { notifications }));
    const headers = modernEra.headers('subscriptions/listen');
    const posts = ['ann', 'bob'].flatMap((token) =>
      Array.from({ length: 7 }, () => server.post(token, message, headers)),
    );
    const responses = await Promise.all(posts);
    expect([...responses, warm].every(({ status }) => status === 200)).toBe(true);
    await listeners(15);
    expect((await liveHeapBytes()) - before).toBeLessThan(4_000_000);
  });

  it('end at once for an id of 257 characters', async () => {
    const message = { ...modernEra.message('subscriptions/listen'), id: 'x'.repeat(257) };
    const notifications = { toolsListChanged: true };
    Object.assign(Reflect.get(message, 'params'), { notifications });
    const response = await server.post('ann', message, modernEra.headers('subscriptions/listen'));
    const { value: first } = await messagesOf(response).next();
    expect(first).toHaveProperty('params.notifications', {});
    expect(tools.users).toEqual([]);
  });

  it.each([
    {},
    { toolsListChanged: false },
    { promptsListChanged: true },
    { resourcesListChanged: true },
  ])('end at once where there is nothing to hear: %j', async (notifications) => {
    const { response, next } = await listen('ann', notifications);
    expect(response.headers.get('content-type')).toBe('text/event-stream');
    expect(await next()).toMatchObject({ params: { notifications: {} } });
    expect(await next()).toMatchObject({ id: 7, result: {} });
    expect(tools.users).toEqual([]);
  });
});

class ChangingResources extends AccountResources {
  readonly template = {
    uri: 'tabs://{id}',
    name: 'tab',
    title: 'Tab',
    description: 'An open page.',
    mimeType: 'application/json',
    scope: 'account:read',
  };
  private tell: () => void = () => undefined;

  async list() {
    return [];
  }

  async read() {
    return undefined;
  }

  onChanged(_userId: string, listener: () => void) {
    this.tell = listener;
    return () => undefined;
  }

  change() {
    this.tell();
  }
}

describe('streams that listen for resources (contract: MCP endpoint)', () => {
  it('end at once for an app that lacks their scope, also one that may ask for it', async () => {
    const server = await ResourceServer.startWith([
      { provide: AccountResources, useValue: new ChangingResources() },
    ]);
    const token = await server.give('narrow', { scope: 'tabs:write' });
    const notifications = { resourcesListChanged: true };
    const response = await server.send(modernEra, token, 'subscriptions/listen', { notifications });
    const messages = messagesOf(response);
    await messages.next();
    expect((await messages.next()).value).toMatchObject({ id: 7, result: {} });
    await server.close();
  });

  it('say that those of the account changed', async () => {
    const resources = new ChangingResources();
    const server = await ResourceServer.startWith([
      { provide: AccountResources, useValue: resources },
    ]);
    const token = await server.give('ann');
    const notifications = { resourcesListChanged: true, toolsListChanged: true };
    const response = await server.send(modernEra, token, 'subscriptions/listen', { notifications });
    const messages = messagesOf(response);
    expect((await messages.next()).value).toMatchObject({
      params: { notifications: { resourcesListChanged: true } },
    });
    resources.change();
    expect((await messages.next()).value).toMatchObject({
      method: 'notifications/resources/list_changed',
      params: { _meta: { [ID]: 7 } },
    });
    const discovered = await server.send(modernEra, token, 'server/discover');
    const { result } = JSON.parse(await discovered.text());
    expect(result.capabilities).toEqual({
      tools: {},
      resources: { listChanged: true },
      completions: {},
    });
    server.get(SubscriptionsService).endAll();
    await server.close();
  });
});
