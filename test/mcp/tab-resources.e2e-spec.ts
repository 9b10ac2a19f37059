import { eventually } from '#libs/platform/testing';
import { type Gatehouse, startGatehouse } from '../support/gatehouse.js';
import { TabClient } from '../support/tab-client.js';
import { ConnectedApp } from './connected-app.js';
import { ToolClient } from './tool-client.js';

interface Resource {
  readonly uri: string;
  readonly title?: string;
  readonly text?: string;
}

describe.each(['1', '2'])('open tabs as resources of SDK %s.x (contract: Page tools)', (sdk) => {
  let gatehouse: Gatehouse;
  let app: ConnectedApp;
  let tab: TabClient;
  let client: ToolClient;

  const listed = async () =>
    (await client.ask<{ resources: Resource[] }>({ method: 'listResources' })).resources;
  const read = (uri: string) =>
    client.ask<{ contents: Resource[] }>({ method: 'readResource', params: { uri } });

  beforeAll(async () => {
    gatehouse = await startGatehouse();
    app = await ConnectedApp.connect(gatehouse);
    tab = await TabClient.open(gatehouse, app.browser);
    tab.say('hello', { title: 'Charts', url: 'http://localhost/charts' });
    tab.say('tools', { tools: [{ name: 'paint', description: 'Paints.' }] });
    client = await ToolClient.start(sdk, gatehouse, app.token);
  });
  afterAll(async () => {
    await client.stop();
    await tab.close();
    await gatehouse.stop();
  });

  it('are listed, and read with what their page offers', async () => {
    const uri = `tabs://${tab.id}`;
    await eventually(async () =>
      expect(await listed()).toMatchObject([{ uri, title: 'Charts (an open page)' }]),
    );
    const { contents } = await read(uri);
    expect(contents).toMatchObject([{ uri, mimeType: 'application/json' }]);
    expect(JSON.parse(contents[0]?.text ?? '')).toMatchObject({
      id: tab.id,
      title: 'Charts',
      url: 'http://localhost/charts',
      tools: [{ name: 'paint', description: 'Paints.' }],
    });
  });

  it('are hidden from other accounts', async () => {
    const stranger = await ConnectedApp.connect(gatehouse);
    const answer = await stranger.send('resources/read', { uri: `tabs://${tab.id}` });
    expect(answer.text).not.toContain('Charts');
    expect(answer.json<{ error?: object }>().error).toBeDefined();
    expect((await stranger.send('resources/list')).text).not.toContain(tab.id);
  });
});
