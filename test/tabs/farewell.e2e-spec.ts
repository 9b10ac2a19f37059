import { ConnectedApp } from '../mcp/connected-app.js';
import { startGatehouse } from '../support/gatehouse.js';
import { TabClient } from '../support/tab-client.js';

describe('the end of a replica', () => {
  it('sends idle tabs away while others still owe an answer, which is waited for', async () => {
    const gatehouse = await startGatehouse();
    const app = await ConnectedApp.connect(gatehouse);
    const busy = await TabClient.open(gatehouse, app.browser);
    const idle = await TabClient.open(gatehouse, app.browser);
    const calling = app.call('call_tab', { tab: busy.id, method: 'think' });
    const { id } = await busy.next<{ id: string }>('request');

    const ending = gatehouse.stop();
    expect(await idle.closed).toEqual({ code: 1001, reason: 'the service is restarting' });
    busy.say('result', { id, ok: true, value: 42 });
    expect((await calling).structuredContent).toEqual({ value: 42 });
    expect((await busy.closed).code).toBe(1001);
    await ending;
  });
});
