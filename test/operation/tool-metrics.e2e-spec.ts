import { ConnectedApp } from '../mcp/connected-app.js';
import { eventually } from '#libs/platform/testing';
import { type Gatehouse, startGatehouse } from '../support/gatehouse.js';
import { startSchemaChecks } from '../support/schema-checks.js';
import { TabClient } from '../support/tab-client.js';
import { parseMetrics, valueOf } from './metrics-text.js';
import { askManagement } from '../support/management.js';

const CALLS = 'gatehouse_tool_calls_total';
const DURATIONS = 'gatehouse_tool_call_duration_seconds_count';

describe('metrics of calls', () => {
  let gatehouse: Gatehouse;
  let app: ConnectedApp;

  const samples = async () => parseMetrics((await askManagement(gatehouse, '/metrics')).text);
  const counts = (wanted: Readonly<Record<string, number>>) =>
    eventually(async () => {
      const calls = (await samples()).filter(({ name }) => name === CALLS);
      const counted = calls.map(({ labels, value }) => [
        `${labels['tool']} ${labels['outcome']}`,
        value,
      ]);
      expect(Object.fromEntries(counted)).toEqual(wanted);
    });

  beforeEach(async () => {
    gatehouse = await startGatehouse({ MANAGEMENT_PORT: '0' });
    await startSchemaChecks(gatehouse);
    app = await ConnectedApp.connect(gatehouse);
  });
  afterEach(() => gatehouse.stop());

  it('are by tool and outcome, with how long they took', async () => {
    await app.call('account_status');
    await app.call('account_status');
    await app.call('run_code', { code: '' });
    await counts({ 'account_status done': 2, 'run_code refused': 1 });
    expect(valueOf(await samples(), DURATIONS, { tool: 'account_status' })).toBe(2);
  });

  it('have one name for all tools of pages, and for all that do not exist', async () => {
    const names = ['one', 'two', 'three'];
    const tools = names.map((name) => ({ name, description: 'Made up by a page.' }));
    const tab = await TabClient.open(gatehouse, app.browser);
    tab.say('tools', { tools });
    await tab.settle();
    for (const name of names) {
      const calling = app.call(`page_${name}`);
      const { id } = await tab.next<{ id: string; method: string }>(
        'request',
        ({ method }) => method === name,
      );
      tab.say('result', { id, ok: true, value: null });
      await calling;
      await app.send('tools/call', { name: `page_not_${name}`, arguments: {} });
      await app.send('tools/call', { name: `not_${name}`, arguments: {} });
      await app.send('resources/read', { uri: `tabs://${name}` });
    }
    await tab.close();
    await counts({ 'page_* done': 3, 'page_* refused': 3, 'resource tab refused': 3 });
  });
});
