import { eventually } from '#libs/platform/testing';
import { type Gatehouse, startGatehouse } from '../support/gatehouse.js';
import { startSchemaChecks } from '../support/schema-checks.js';
import { TabClient } from '../support/tab-client.js';
import { refuseLater } from './asking.js';
import { ConnectedApp } from './connected-app.js';
import { ToolClient } from './tool-client.js';

interface Request {
  readonly id: string;
  readonly params: { readonly n: number };
}

const COUNT = {
  name: 'count',
  description: 'Counts.',
  inputSchema: { type: 'object', properties: { n: { type: 'integer' } } },
};

const isEmbedded = globalThis.STORAGE === 'embedded';
const places: [string, number][] = [
  ['on one replica', 1],
  ...(isEmbedded ? [] : ([['over two replicas', 2]] as [string, number][])),
];
const sdks = ['1', '2'];

/** The page answers a request by its number: that many progress messages before the answer; 9 never answers. */
describe.each(places.flatMap(([where, count]) => sdks.map((sdk) => [sdk, where, count] as const)))(
  'a page tool called by SDK %s.x %s (contract: Page tools)',
  (sdk, _where, replicas) => {
    let here: Gatehouse;
    let there: Gatehouse;
    let app: ConnectedApp;
    let tab: TabClient;
    let client: ToolClient;

    const request = (n: number) => tab.next<Request>('request', ({ params }) => params.n === n);

    beforeAll(async () => {
      here = await startGatehouse();
      there = replicas === 1 ? here : await startGatehouse({}, here);
      await startSchemaChecks(here);
      app = await ConnectedApp.connect(here);
      tab = await TabClient.open({ port: there.port, origin: here.origin }, app.browser);
      tab.say('tools', { tools: [COUNT] });
      client = await ToolClient.start(sdk, here, app.token);
    });
    afterAll(async () => {
      await client.stop();
      await tab.close();
      if (there !== here) await there.stop();
      await here.stop();
    });

    it('is seen, called, tells its progress and answers with contents', async () => {
      await eventually(async () => {
        const { tools } = await client.ask<{ tools: { name: string }[] }>({ method: 'listTools' });
        expect(tools.map(({ name }) => name)).toContain('page_count');
      });
      const called = client.call('page_count', { n: 2 });
      const { id } = await request(2);
      tab.say('progress', { id, progress: 1, total: 2, message: 'one' });
      await tab.settle();
      tab.say('progress', { id, progress: 2, total: 2 });
      await tab.settle();
      tab.say('result', { id, ok: true, value: { content: [{ type: 'text', text: 'two' }] } });
      const { heard, answer } = await called;
      expect(answer).toMatchObject({
        content: [{ type: 'text', text: 'two' }],
        structuredContent: { value: null },
      });
      expect(heard[0]).toBe(1);
      expect(heard.length).toBeLessThanOrEqual(2);
    });

    it('is cancelled by its caller, which the page hears, and costs what it was screened for', async () => {
      const usedBefore = await app.used();
      const called = client.call('page_count', { n: 9 }, 1);
      const { id } = await request(9);
      tab.say('progress', { id, progress: 1 });
      expect((await called).failure).toContain('enough');
      await tab.next<{ id: string }>('cancel', (cancelled) => cancelled.id === id);
      tab.say('result', { id, ok: true, value: 'late' });
      expect(await tab.next('error')).toMatchObject({ code: 'bad_message' });
      expect(await app.used()).toBe((usedBefore ?? 0) + 1);
    });

    it('a call with arguments that do not fit is refused at no cost, and the page gets no message', async () => {
      const usedBefore = await app.used();
      const { answer } = await client.call('page_count', { n: 'many' });
      expect(answer).toMatchObject({ isError: true });
      expect(answer?.content[0]?.text).toBe('These arguments do not fit: n takes an integer.');
      await tab.settle();
      expect(
        tab.received('request').filter(({ data }) => Object(data['params']).n === 'many'),
      ).toEqual([]);
      expect(await app.used()).toBe(usedBefore);
    });

    it('a call is checked by the last list of the page, also if that is one of several at once', async () => {
      const small = { type: 'object', properties: { n: { type: 'integer', maximum: 50 } } };
      const changes: [object[], RegExp][] = [
        [[{ ...COUNT, inputSchema: small }], /do not fit: n takes .*50/],
        // Where the list is published before the call, the person is asked, and says no.
        [
          [{ ...COUNT, annotations: { consequentialHint: true } }],
          /needs a yes of the user|said no to this/,
        ],
        [[], /withdrawn|No open page/],
      ];
      const offerAndSee = async (description: string) => {
        tab.say('tools', { tools: [{ ...COUNT, description }] });
        await eventually(async () => {
          const { tools } = await client.ask<{ tools: object[] }>({ method: 'listTools' });
          expect(JSON.stringify(tools)).toContain(description);
        });
      };
      for (const [n, [tools, refusal]] of changes.entries()) {
        await offerAndSee(`Counts ${n}.`);
        tab.say('tools', { tools: [{ ...COUNT, title: 'Count' }] });
        tab.say('tools', { tools });
        await tab.settle();
        const call = client.call('page_count', { n: 60 + n });
        const { answer } = await refuseLater(app.browser, call);
        expect(answer).toMatchObject({ isError: true });
        expect(answer?.content[0]?.text).toMatch(refusal);
      }
      await offerAndSee('Counts.');
      const called = client.call('page_count', { n: 70 });
      const { id } = await request(70);
      tab.say('result', { id, ok: true, value: 70 });
      expect((await called).answer).toMatchObject({ structuredContent: { value: 70 } });
      const asked = tab.received('request').map(({ data }) => Object(data['params']).n as number);
      expect(asked.filter((n) => n >= 60)).toEqual([70]);
    });
  },
);
