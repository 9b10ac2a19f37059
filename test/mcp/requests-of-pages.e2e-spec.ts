import { SchemaChecks } from '#libs/platform';
import { eventually } from '#libs/platform/testing';
import { ContentScreener, type ScreenedContent } from '#libs/code-runner';
import { startGatehouse, useGatehouse } from '../support/gatehouse.js';
import { TabClient } from '../support/tab-client.js';
import { answerRequest, oneRequest, openRequests } from './asking.js';
import { ConnectedApp } from './connected-app.js';
import { ToolClient } from './tool-client.js';

const paint = (consequentialHint: boolean) => ({
  name: 'paint',
  title: 'Paint',
  description: 'Paints.',
  inputSchema: { type: 'object', properties: { colour: { type: 'string' } } },
  annotations: { consequentialHint },
});

const REFUSED_TEXT = 'refused';

/** Takes as long as the test wants for content with the word "slowly". */
class SlowScreener extends ContentScreener {
  private begun = Promise.withResolvers<() => void>();

  /** Resolves with what lets it go on. */
  async next(): Promise<() => void> {
    const go = await this.begun.promise;
    this.begun = Promise.withResolvers();
    return go;
  }

  override async screen({ text }: ScreenedContent) {
    if (text.includes('slowly')) {
      await new Promise<void>((resolve) => this.begun.resolve(resolve));
    }
    return text.includes(REFUSED_TEXT) ? 'refused' : 'accepted';
  }
}

const screener = new SlowScreener();
const slow = { replacements: { screening: [{ provide: ContentScreener, useValue: screener }] } };

describe('calls to open pages that a person decides about (contract: Requests)', () => {
  const gatehouse = useGatehouse(() => startGatehouse({}, undefined, [slow]));
  let app: ConnectedApp;
  let opened: TabClient[];

  const open = async (title: string, ...tools: object[]) => {
    const tab = await TabClient.open(gatehouse, app.browser);
    opened.push(tab);
    tab.say('hello', { title, url: `${gatehouse.origin}/${title}` });
    if (tools.length > 0) tab.say('tools', { tools });
    await tab.settle();
    return tab;
  };
  const asked = () => oneRequest(app.browser);
  const answerAs = async (tab: TabClient, value: unknown) => {
    const { id } = await tab.next<{ id: string }>('request');
    tab.say('result', { id, ok: true, value });
  };

  beforeEach(async () => {
    app = await ConnectedApp.connect(gatehouse);
    opened = [];
  });
  afterEach(() => Promise.all(opened.map((tab) => tab.close())));

  it('go to the page that was shown and to no other, whichever was used since', async () => {
    await app.change({ permissions: { 'tabs:write': 'ask' } });
    await open('other', paint(false));
    const shown = await open('shown', paint(false));
    const call = app.have('page_paint', { colour: 'red' });
    expect(await asked()).toMatchObject({
      kind: 'call',
      name: 'page_paint',
      title: 'Paint (offered by a page)',
      page: { title: 'shown', url: `${gatehouse.origin}/shown` },
      passkey: false,
    });
    const [other] = opened;
    await other?.settle();
    await answerRequest(app.browser, 'once');
    await answerAs(shown, 'by the shown page');
    expect(await call).toEqual({ value: 'by the shown page' });
    expect(other?.received('request')).toEqual([]);
  });

  it('are not asked about where the arguments do not fit the page, by call_tab too', async () => {
    const inputSchema = { type: 'object', properties: { colour: { enum: ['blue'] } } };
    const shown = await open('shown', { ...paint(true), inputSchema });
    const params = { colour: 'red' };
    const byTab = { tab: shown.id, method: 'paint', params };
    for (const permission of ['allow', 'ask']) {
      await app.change({ permissions: { 'tabs:write': permission } });
      for (const [name, input] of [
        ['page_paint', params],
        ['call_tab', byTab],
      ] as const)
        expect(await app.refusal(name, input)).toContain('fit: colour takes one of "blue".');
    }
    expect(await openRequests(app.browser)).toEqual([]);
    for (const fitting of [{ colour: 'blue' }, null]) {
      const refused = app.refusal('call_tab', { ...byTab, params: fitting });
      expect(await asked()).toMatchObject({ name: 'call_tab', passkey: true });
      await answerRequest(app.browser, 'no');
      expect(await refused).toContain('said no');
    }
  });

  it('that were allowed do not reach a page whose tool takes other arguments meanwhile', async () => {
    await app.change({ permissions: { 'tabs:write': 'ask' } });
    const shown = await open('shown', paint(false));
    const call = app.refusal('page_paint', { colour: 'red' });
    await asked();
    const inputSchema = { type: 'object', properties: { colour: { enum: ['blue'] } } };
    shown.say('tools', {
      tools: [
        { ...paint(false), inputSchema },
        { ...paint(false), name: 'look' },
      ],
    });
    const tabs = async () => JSON.stringify(await app.have('list_tabs'));
    await eventually(async () => expect(await tabs()).toContain('look'));
    await answerRequest(app.browser, 'once');
    expect(await call).toContain('these arguments do not fit: colour takes one of "blue".');
    expect(shown.received('request')).toEqual([]);
  });

  it('that were allowed go nowhere when the page was closed meanwhile', async () => {
    await app.change({ permissions: { 'tabs:write': 'ask' } });
    const other = await open('other', paint(false));
    const shown = await open('shown', paint(false));
    const call = app.refusal('page_paint', {});
    await asked();
    await shown.close();
    await other.sees(other);
    await answerRequest(app.browser, 'once');
    expect(await call).toContain('No open page of the user offers this tool now');
    expect(other.received('request')).toEqual([]);
  });

  it('are asked about with a passkey where the page says that they have consequences, by call_tab too', async () => {
    const tab = await open('shop', paint(true), { ...paint(false), name: 'look' });
    const stop = new AbortController();
    const calls = [
      ['page_paint', { colour: 'red' }],
      ['call_tab', { tab: tab.id, method: 'paint', params: {} }],
    ] as const;
    for (const [name, args] of calls) {
      const params = { name, arguments: args };
      const message = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params });
      const call = app.sendText(message, stop.signal).catch(() => undefined);
      expect(await asked()).toMatchObject({
        kind: 'call',
        name,
        title: 'Paint (offered by a page)',
        page: { title: 'shop' },
        passkey: true,
      });
      const { id } = await asked();
      const always = await app.browser.post(`/svc/me/requests/${id}`, { decision: 'always' });
      expect(always.status).toBe(400);
      await answerRequest(app.browser, 'no');
      await call;
    }
    const look = app.have('call_tab', { tab: tab.id, method: 'look' });
    await answerAs(tab, 'looked');
    expect(await look).toEqual({ value: 'looked' });
    expect(await openRequests(app.browser)).toEqual([]);
    expect(tab.received('request')).toHaveLength(1);
  });

  it.each([
    ['call_tab', 'offers it', []],
    ['call_tab', 'takes other arguments', [paint(false)]],
    ['page_paint', 'takes other arguments', [paint(false)]],
  ])('by %s do not reach a page that %s since they began', async (name, _what, before) => {
    const tab = await open('shop', ...before);
    const params = { colour: 'slowly' };
    const args = name === 'call_tab' ? { tab: tab.id, method: 'paint', params } : params;
    const call = app.refusal(name, args);
    const goOn = await screener.next();
    const inputSchema = { type: 'object', properties: { colour: { enum: ['red'] } } };
    tab.say('tools', {
      tools: [
        { ...paint(false), inputSchema },
        { ...paint(false), name: 'look' },
      ],
    });
    const tabs = async () => JSON.stringify(await app.have('list_tabs'));
    await eventually(async () => expect(await tabs()).toContain('look'));
    goOn();
    expect(await call).toBe(
      'The page has just changed this tool, and these arguments do not fit: colour takes one of "red".',
    );
    expect(tab.received('request')).toEqual([]);
  });

  it.each([
    ['call_tab', 'offers it', []],
    ['call_tab', 'says that it has consequences', [paint(false)]],
    ['page_paint', 'says that it has consequences', [paint(false)]],
  ])('by %s are refused where the page %s only after they began', async (name, _what, before) => {
    const tab = await open('shop', ...before);
    const params = { colour: 'slowly' };
    const args = name === 'call_tab' ? { tab: tab.id, method: 'paint', params } : params;
    const call = app.refusal(name, args);
    const goOn = await screener.next();
    tab.say('tools', { tools: [paint(true), { ...paint(false), name: 'look' }] });
    const tabs = async () => JSON.stringify(await app.have('list_tabs'));
    await eventually(async () => expect(await tabs()).toContain('look'));
    goOn();
    expect(await call).toContain('Make the same call again');
    expect(tab.received('request')).toEqual([]);
  });

  it.each([
    ['call_tab', []],
    ['page_paint', [paint(false)]],
  ])(
    'by %s have results by the schema that the page had when it was asked',
    async (name, before) => {
      const tab = await open('shop', ...before);
      const params = { colour: 'slowly' };
      const args = name === 'call_tab' ? { tab: tab.id, method: 'paint', params } : params;
      const call = app.refusal(name, args);
      const goOn = await screener.next();
      const outputSchema = { type: 'object', required: ['painted'] };
      tab.say('tools', {
        tools: [
          { ...paint(false), outputSchema },
          { ...paint(false), name: 'look' },
        ],
      });
      const tabs = async () => JSON.stringify(await app.have('list_tabs'));
      await eventually(async () => expect(await tabs()).toContain('look'));
      goOn();
      await answerAs(tab, {});
      expect(await call).toContain('its result does not fit its outputSchema: painted is missing');
    },
  );

  it.each(['call_tab', 'page_paint'])(
    'by %s are refused where the page withdrew the tool since they began',
    async (name) => {
      const tab = await open('shop', paint(false));
      const params = { colour: 'slowly' };
      const args = name === 'call_tab' ? { tab: tab.id, method: 'paint', params } : params;
      const call = app.refusal(name, args);
      const goOn = await screener.next();
      tab.say('tools', { tools: [{ ...paint(false), name: 'look' }] });
      const tabs = async () => JSON.stringify(await app.have('list_tabs'));
      await eventually(async () => expect(await tabs()).toContain('look'));
      goOn();
      expect(await call).toBe(
        'The page has just withdrawn this tool, so nothing was done; call list_tabs for what is offered now.',
      );
      expect(tab.received('request')).toEqual([]);
    },
  );

  it.each([
    ['takes other arguments', { properties: { colour: { enum: ['red'] } } }, false, '"red"'],
    ['says that it has consequences', {}, true, 'Make the same call again'],
  ])('are refused where the page %s while they are checked again', async (...changed) => {
    const [, schema, consequentialHint, words] = changed;
    const tab = await open('shop', paint(false));
    const offer = async (tool: object, other: string) => {
      tab.say('tools', { tools: [tool, { ...paint(false), name: other }] });
      const tabs = async () => JSON.stringify(await app.have('list_tabs'));
      await eventually(async () => expect(await tabs()).toContain(other));
    };
    const withSchema = (inputSchema: object) => ({
      ...paint(consequentialHint),
      inputSchema: { type: 'object', ...inputSchema },
    });
    const call = app.refusal('page_paint', { colour: 'slowly' });
    const goOn = await screener.next();
    await offer({ ...paint(false), inputSchema: { type: 'object' } }, 'look');
    const checks = gatehouse.app.get(SchemaChecks);
    const check = checks.mismatch.bind(checks);
    const checking = jest.spyOn(checks, 'mismatch').mockImplementationOnce(async (...given) => {
      const mismatch = await check(...given);
      await offer(withSchema(schema), 'see');
      return mismatch;
    });
    goOn();
    expect(await call).toContain(words);
    checking.mockRestore();
    expect(tab.received('request')).toEqual([]);
  });

  it('tell an app without the scope nothing of what open pages offer', async () => {
    const tab = await open('shop', paint(false));
    await app.change({ permissions: { 'tabs:write': 'off' } });
    const refusal = await app.refusal('page_unknown', {});
    expect(refusal).toContain('No open page of the user offers this tool now');
    expect(refusal).not.toContain('paint');
    expect(await app.refusal('page_paint', { tab: 'unknown' })).not.toContain(tab.id);
    // Nor its schema, by arguments that do not fit.
    for (const args of [{ colour: 7 }, { tab: 7 }, { colour: 'x'.repeat(70_000) }]) {
      expect(await app.refusal('page_paint', args)).toBe(refusal);
      expect(await app.refusal('page_unknown', args)).toBe(refusal);
    }
    // Nor whether arguments fit: what does not depend on the page is refused first.
    const refusedAlike = async (colour: string) => {
      const [fitting, other] = [{ colour }, { colour, tab: 7 }];
      const [first, ...others] = [
        await app.refusal('page_paint', fitting),
        await app.refusal('page_paint', other),
        await app.refusal('page_unknown', fitting),
      ];
      expect(others).toEqual([first, first]);
      return first;
    };
    expect(await refusedAlike(REFUSED_TEXT)).toContain('does not allow this content');
    const batch = ['page_paint', 'page_unknown'].map((name, id) => {
      const params = { name, arguments: {} };
      return { jsonrpc: '2.0', id, method: 'tools/call', params };
    });
    const { text } = await app.sendText(JSON.stringify(batch));
    expect(text.match(/send this call alone/g)).toHaveLength(2);
    expect(await openRequests(app.browser)).toEqual([]);
    const asking = Array.from({ length: 5 }, (_, n) => app.refusal('page_paint', { n }));
    await eventually(async () => expect(await openRequests(app.browser)).toHaveLength(5));
    expect(await refusedAlike('red')).toContain('has not answered earlier requests yet');
    await answerRequest(app.browser, 'no', (await openRequests(app.browser))[0]?.id);
    await app.change({ paused: true });
    await app.change({ paused: false });
    await Promise.all(asking);
    expect(await refusedAlike('blue')).toContain('said no to this');
    expect((await app.send('tools/list')).text).not.toContain('page_paint');
    expect(await openRequests(app.browser)).toEqual([]);
  });

  it('nor one that opens addresses for its user', async () => {
    const tab = await open('shop', paint(true));
    await app.change({ permissions: { 'tabs:write': 'off' } });
    const client = await ToolClient.start('2-url', gatehouse, app.token);
    const messages: unknown[] = [];
    for (const [name, args] of [
      ['page_paint', { colour: 'red' }],
      ['call_tab', { tab: tab.id, method: 'paint' }],
      ['call_tab', { tab: tab.id, method: 'unknown' }],
    ] as const) {
      const { message } = await client.callAsked(name, args);
      messages.push(message);
      await client.answer('cancel');
    }
    await client.stop();
    const [first] = messages;
    expect(first).toContain('asks for your permission');
    expect(messages).toEqual([first, first, first]);
  });

  it('are seen in open pages at once, and gone with their answer', async () => {
    const tab = await open('shop');
    await app.change({ permissions: { 'account:read': 'ask' } });
    const call = app.have('account_status');
    const { id, expiresAt } = await asked();
    const shown = { id, app: 'Test App', title: expect.any(String), passkey: false, expiresAt };
    const last = () => tab.received('requests').at(-1)?.data['requests'];
    await tab.until(() => JSON.stringify(last()).includes(id), 'the request');
    expect(last()).toEqual([shown]);
    const later = await open('later');
    expect((await later.next<{ requests: unknown }>('requests')).requests).toEqual([shown]);
    await answerRequest(app.browser, 'once');
    await call;
    await tab.until(() => JSON.stringify(last()) === '[]', 'no request');
  });
});
