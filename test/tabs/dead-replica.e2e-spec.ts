import { Browser } from '../support/browser.js';
import { ServerProcess } from '../support/built-server.js';
import { type Gatehouse, startGatehouse } from '../support/gatehouse.js';
import { TabClient } from '../support/tab-client.js';

const replicated = globalThis.STORAGE !== 'embedded';

(replicated ? describe : describe.skip)(
  'a replica that dies without a word (skipped: embedded storage has one replica)',
  () => {
    let gatehouse: Gatehouse;
    let other: ServerProcess;

    beforeAll(async () => {
      gatehouse = await startGatehouse();
      other = new ServerProcess({ PORT: '0', ...gatehouse.storage.environment });
    });
    afterAll(async () => {
      await other.kill();
      await gatehouse.stop();
    });

    it('its tabs are announced as gone within 45 seconds, and a call to one fails', async () => {
      const ann = new Browser(gatehouse);
      await ann.signUp();
      const server = { port: await other.port(), origin: gatehouse.origin };
      const tab = await TabClient.open(gatehouse, ann);
      const lost = await Promise.all([TabClient.open(server, ann), TabClient.open(server, ann)]);
      await tab.sees(tab, ...lost);
      await other.kill();
      await tab.until(() => tab.tabs.length === 1, 'list without the dead', 45_000);
      await tab.sees(tab);
      const error = await tab.ask('send', { to: lost[0]?.id, body: 1 }, 'error');
      expect(error['code']).toBe('unknown_tab');
      await tab.close();
    });
  },
);
