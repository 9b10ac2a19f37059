import { type Gatehouse, startGatehouse } from '../support/gatehouse.js';
import { TabClient } from '../support/tab-client.js';
import { ConnectedApp } from './connected-app.js';

const DAILY_LIMIT = 5;

describe('screening of what apps say to tabs', () => {
  let gatehouse: Gatehouse;
  let app: ConnectedApp;
  let tab: TabClient;

  beforeAll(async () => {
    gatehouse = await startGatehouse({ BUDGET_DAILY_LIMIT: String(DAILY_LIMIT) });
  });
  beforeEach(async () => {
    app = await ConnectedApp.connect(gatehouse);
    tab = await TabClient.open(gatehouse, app.browser);
  });
  afterEach(() => tab.close());
  afterAll(() => gatehouse.stop());

  it.each([
    ['send_message', { body: 'you fucking fool' }],
    ['send_message', { body: { list: [1, { '5h1thead': true }] } }],
    ['call_tab', { method: 'show', params: ['what bullshit'] }],
    ['call_tab', { method: 'fuck' }],
  ])('%s is refused with %j, and names no words', async (name, args) => {
    const sentence = await app.refusal(name, { tab: tab.id, ...args });
    expect(sentence).toBe("The user's service does not allow this content; rephrase it.");
    await tab.settle();
    expect([...tab.received('message'), ...tab.received('request')]).toEqual([]);
    expect(await app.used()).toBe(1);
  });

  it('sees through the escapes of JSON', async () => {
    const call = `{"name":"send_message","arguments":{"body":"\\u0066\\u0075ck you"}}`;
    const answer = await app.send('tools/call', JSON.parse(call) as object);
    expect(answer.text).toMatch(/does not allow this content/);
  });

  it.each([
    { length: 1_000, price: 1 },
    { length: 1_001, price: 2 },
    { length: 5_000, price: 5 },
  ])('costs $price for $length characters', async ({ length, price }) => {
    await app.have('send_message', { body: ['x'.repeat(length)] });
    expect(await app.used()).toBe(price);
    expect(await app.have('account_status')).toMatchObject({ budget: { used: price } });
  });

  it('costs nothing where there is no text', async () => {
    expect(await app.have('send_message', { body: [1, null, true] })).toEqual({ delivered: 1 });
    expect(await app.used()).toBe(0);
  });

  it('is refused when the budget does not cover it, with what is left', async () => {
    await app.have('send_message', { body: 'x'.repeat(3_000) });
    const sentence = await app.refusal('send_message', { body: 'y'.repeat(2_001) });
    expect(sentence).toMatch(/takes 3 of .* and 2 are left; .* after \d{4}-\d\d-\d\dT00:00:00/);
    await tab.settle();
    expect(tab.received('message')).toHaveLength(1);
    expect(await app.used()).toBe(3);
    expect(await app.have('send_message', { body: 'short' })).toEqual({ delivered: 1 });
  });

  it('never passes the limit in parallel', async () => {
    const calls = Array.from({ length: 20 }, () => app.call('send_message', { body: 'hello' }));
    const answers = await Promise.all(calls);
    expect(answers.filter(({ isError }) => !isError)).toHaveLength(DAILY_LIMIT);
    expect(await app.used()).toBe(DAILY_LIMIT);
    await tab.settle();
    expect(tab.received('message')).toHaveLength(DAILY_LIMIT);
  });
});
