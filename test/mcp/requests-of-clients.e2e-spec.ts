import { eventually } from '#libs/platform/testing';
import { type Gatehouse, startGatehouse } from '../support/gatehouse.js';
import {
  answerRequest,
  done,
  newText,
  notes,
  oneRequest,
  openRequests,
  REQUESTS,
} from './asking.js';
import { ConnectedApp } from './connected-app.js';
import { ToolClient } from './tool-client.js';

const META = {
  'io.modelcontextprotocol/protocolVersion': '2026-07-28',
  'io.modelcontextprotocol/clientCapabilities': { elicitation: { url: {} }, roots: {} },
};

/** The person answers at one replica, where there are two, and the client calls at the other. */
describe.each(globalThis.STORAGE === 'embedded' ? [1] : [1, 2])(
  'requests of clients over %i replicas (contract: Requests)',
  (count) => {
    let here: Gatehouse;
    let there: Gatehouse;
    let app: ConnectedApp;
    let text: string;

    const ran = () => done.filter((each) => each === text).length;
    const person = () => app.browser.at(there);
    /** How the calls of the app ended, as its person sees it. */
    const outcomes = async () => {
      const path = '/svc/me/connections';
      const { connections } = (await person().get(path)).json<{ connections: { id: string }[] }>();
      const answer = await person().get(`${path}/${connections[0]?.id}/calls`);
      return answer.json<{ calls: { outcome: string }[] }>().calls.map(({ outcome }) => outcome);
    };

    beforeAll(async () => {
      here = await startGatehouse({}, undefined, [notes]);
      there = count === 1 ? here : await startGatehouse({}, here, [notes]);
    });
    beforeEach(async () => {
      app = await ConnectedApp.connect(here, ['account:read']);
      text = newText();
    });
    afterAll(async () => {
      if (there !== here) await there.stop();
      await here.stop();
    });

    describe.each(['1', '2'])('SDK %s.x, which opens no addresses', (sdk) => {
      let client: ToolClient;

      beforeEach(async () => {
        client = await ToolClient.start(sdk, here, app.token);
      });
      afterEach(() => client.stop());

      it('waits, hears that it waits, and gets its answer', async () => {
        const called = client.call('note', { text });
        await oneRequest(person());
        await answerRequest(person(), 'once');
        const { answer, heard } = await called;
        expect(answer?.structuredContent).toEqual({ text });
        expect(heard.at(-1)).toBe(1_000);
        expect(ran()).toBe(1);
      });

      it('cancels: nothing runs, and the request stays for the same call', async () => {
        const called = client.call('note', { text });
        const { id } = await oneRequest(person());
        client.cancel();
        expect((await called).failure).toBeDefined();
        // The client tells the service in a request of its own.
        await eventually(async () => expect(await outcomes()).toContain('cancelled'));
        expect((await oneRequest(person())).id).toBe(id);
        await answerRequest(person(), 'once');
        expect(ran()).toBe(0);
        const { answer } = await client.call('note', { text });
        expect(answer?.structuredContent).toEqual({ text });
        expect([ran(), await openRequests(person())]).toEqual([1, []]);
      });
    });

    describe('SDK 2.x, which opens addresses', () => {
      let client: ToolClient;

      beforeEach(async () => {
        client = await ToolClient.start('2-url', here, app.token);
      });
      afterEach(() => client.stop());

      it.each([
        ['before', 'once'],
        ['after', 'always'],
      ])('is sent to the request, and calls again %s the decision %s', async (when, decision) => {
        const { id } = await (async () => {
          const question = await client.callAsked('note', { text });
          const request = await oneRequest(person());
          expect(question).toMatchObject({
            mode: 'url',
            url: `${here.origin}/svc/account/requests/${request.id}`,
            message: expect.stringContaining('Title of note'),
          });
          return request;
        })();
        const decide = () => answerRequest(person(), decision, id);
        if (when === 'after') await decide();
        const answered = client.answer('accept');
        if (when === 'before') await decide();
        expect((await answered).answer?.structuredContent).toEqual({ text });
        expect(ran()).toBe(1);
      });

      it.each(['decline', 'cancel'])(
        'learns that nothing was answered when it says %s',
        async (action) => {
          await client.callAsked('note', { text });
          const { answer } = await client.answer(action);
          expect(answer).toMatchObject({ isError: true });
          expect(answer?.content[0]?.text).toContain('Ann has not answered yet');
          expect((await oneRequest(person())).state).toBe('open');
          await answerRequest(person(), 'no');
          const { answer: refused } = await client.call('note', { text });
          expect(refused?.content[0]?.text).toContain('Ann said no');
        },
      );
    });

    it('a call that has questions of its own keeps its yes until it has run', async () => {
      const call = async (further: object = {}, signal?: AbortSignal) => {
        const params = { name: 'rounds', arguments: { text }, _meta: META, ...further };
        const answer = await fetch(`${here.origin}/svc/mcp`, {
          method: 'POST',
          signal: signal ?? null,
          headers: {
            authorization: `Bearer ${app.token}`,
            accept: 'application/json, text/event-stream',
            'content-type': 'application/json',
            'mcp-protocol-version': '2026-07-28',
            'mcp-method': 'tools/call',
            'mcp-name': 'rounds',
          },
          body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params }),
        });
        const { result, error } = (await answer.json()) as {
          result?: { inputRequests?: object; requestState?: string; structuredContent?: object };
          error?: object;
        };
        if (!result) throw new Error(JSON.stringify(error));
        return result;
      };
      const names = async (further?: object) => {
        const { inputRequests = {}, requestState } = await call(further);
        return { asked: Object.keys(inputRequests), requestState };
      };
      expect((await names()).asked).toEqual(['approval']);
      await answerRequest(person(), 'once');
      const { asked, requestState } = await names();
      expect(asked).toEqual(['roots']);
      const reply = { inputResponses: { roots: { roots: [] } }, requestState };
      expect((await call(reply)).structuredContent).toEqual({ text });
      expect(ran()).toBe(1);
      expect((await names()).asked).toEqual(['approval']);
      await answerRequest(person(), 'no');
      await eventually(async () => expect(await openRequests(person())).toEqual([]));
    });

    it('a client that goes away leaves its request, and nothing runs', async () => {
      const stop = new AbortController();
      const params = { name: 'note', arguments: { text } };
      const message = { jsonrpc: '2.0', id: 1, method: 'tools/call', params };
      const call = app.sendText(JSON.stringify(message), stop.signal);
      const { id } = await oneRequest(person());
      stop.abort();
      await expect(call).rejects.toThrow();
      await answerRequest(person(), 'once', id);
      expect((await app.call('account_status')).isError).toBeUndefined();
      expect(ran()).toBe(0);
      const found = await person().get(`${REQUESTS}/${id}`);
      expect(found.json()).toMatchObject({ request: { state: 'once' } });
    });
  },
);
