import { startGatehouse, useGatehouse } from '../support/gatehouse.js';
import { TabClient } from '../support/tab-client.js';
import { ConnectedApp } from './connected-app.js';

const DAILY_LIMIT = 5;

describe('screening of what apps say to tabs', () => {
  const gatehouse = useGatehouse(() => startGatehouse({ BUDGET_DAILY_LIMIT: String(DAILY_LIMIT) }));
  let app: ConnectedApp;
  let tab: TabClient;

  beforeEach(async () => {
    app = await ConnectedApp.connect(gatehouse);
    tab = await TabClient.open(gatehouse, app.browser);
  });
  afterEach(() => tab.close());

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

  it.each([
    { what: 'a text', body: 'x'.repeat(998), price: 1 },
    { what: 'a longer text', body: 'x'.repeat(999), price: 2 },
    { what: 'numbers', body: Array.from({ length: 2_000 }, () => 7), price: 5 },
    { what: 'a member', body: { ['n'.repeat(994)]: 1 }, price: 1 },
    { what: 'a longer member', body: { ['n'.repeat(995)]: 1 }, price: 2 },
    { what: 'what has to be escaped', body: '\n'.repeat(998), price: 2 },
    { what: 'nothing', body: {}, price: 1 },
  ])('costs $price for the JSON text of $what (contract: Tools)', async ({ body, price }) => {
    expect(await app.have('send_message', { body })).toEqual({ delivered: 1 });
    expect(await app.used()).toBe(price);
    expect(await app.have('account_status')).toMatchObject({ budget: { used: price } });
  });

  it('costs what method and params take together, however they are split', async () => {
    const [method, timeoutMs] = ['m'.repeat(100), 1];
    await app.refusal('call_tab', { tab: tab.id, method, params: [9], timeoutMs });
    expect(await app.used()).toBe(1);
    const params = Array.from({ length: 450 }, () => 1);
    await app.refusal('call_tab', { tab: tab.id, method, params, timeoutMs });
    expect(await app.used()).toBe(3);
  });

  it('is refused when the budget does not cover it, with what is left', async () => {
    await app.have('send_message', { body: 'x'.repeat(2_998) });
    const sentence = await app.refusal('send_message', { body: 'y'.repeat(1_999) });
    expect(sentence).toMatch(/takes 3 of .* and 2 are left; .* after \d{4}-\d\d-\d\dT00:00:00/);
    await tab.settle();
    expect(tab.received('message')).toHaveLength(1);
    expect(await app.used()).toBe(3);
    expect(await app.have('send_message', { body: 'short' })).toEqual({ delivered: 1 });
  });
});
