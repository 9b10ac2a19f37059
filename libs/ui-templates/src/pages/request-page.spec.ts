import { builtInPageLanguages } from '../texts/languages.js';
import {
  type RequestContext,
  requestGonePage,
  requestPage,
  type RequestView,
} from './request-page.js';

const HOSTILE = `</script><img src=x onerror="alert(1)">`;
const NOW = 1_795_000_000;
const site = { serviceName: 'Gatehouse', origin: 'https://gate.example' };
const request: RequestView = {
  id: 'request1',
  connection: 'grant/1',
  app: 'Claude',
  published: 'claude.ai',
  kind: 'call',
  method: 'tools/call',
  name: 'page_place_order',
  title: 'Place an order',
  page: { title: 'Acme Shop', url: 'https://shop.example/cart?user=7' },
  arguments: { article: 'Kettle', amount: 2 },
  truncated: false,
  passkey: false,
  expiresAt: NOW + 530,
  state: 'open',
};
const shown = (changes: Partial<RequestView> = {}, more: Partial<RequestContext> = {}) => {
  const { html } = requestPage({
    ...site,
    userName: 'Ann',
    request: { ...request, ...changes },
    permission: 'use tools on your open pages',
    canAllowAlways: true,
    now: NOW,
    ...more,
  });
  return html.slice(html.indexOf('<main>'), html.indexOf('</main>'));
};
const decisions = (markup: string) =>
  [...markup.matchAll(/<button\s+type="(\w+)"( disabled)?\s+name="decision"\s+value="(\w+)"/g)].map(
    ([, type, , value]) => `${type} ${value}`,
  );
const heading = (markup: string) => /<h1>(.*?)<\/h1>/s.exec(markup)?.[1]?.replaceAll(/<.*?>/g, '');

describe('the page of a request', () => {
  it('says who asks, what for and on which page, without the address of the page', () => {
    const markup = shown();
    expect(heading(markup)).toBe('Claude asks to use &#8220;Place an order&#8221; on Acme Shop');
    for (const words of ['claude.ai', 'page_place_order', 'shop.example', '<bdi>Ann</bdi>']) {
      expect(markup).toContain(words);
    }
    expect(markup).not.toContain('user=7');
  });

  it.each([
    ['tools/call', 'asks to use &#8220;x&#8221;'],
    ['resources/read', 'asks to read &#8220;x&#8221;'],
    ['prompts/get', 'asks to use the prompt &#8220;x&#8221;'],
  ])('%s: %s', (method, words) => {
    expect(heading(shown({ method, name: 'x', title: 'x', page: null }))).toBe(`Claude ${words}`);
  });

  it('says so where nothing vouches for the name of the app', () => {
    expect(shown({ published: null })).toContain('<strong>Name unverified</strong>');
  });

  it.each([
    ['permission', true, 'doesn&#8217;t have this permission'],
    ['call', true, 'you want to be asked'],
    ['call', false, 'always needs your confirmation'],
  ] as const)('%s, always %s: why the person is asked', (kind, canAllowAlways, words) => {
    expect(shown({ kind }, { canAllowAlways })).toContain(words);
  });

  it('shows arguments as text, and what cannot be seen as marks', () => {
    const hidden = { [HOSTILE]: HOSTILE, order: 'a\u202eb', deep: { 'x\u200b': ['\u2066'] } };
    const markup = shown({ arguments: { ...hidden, none: '', nothing: null, flag: false } });
    expect(markup).not.toContain('<img');
    expect(markup.split('&lt;img src=x')).toHaveLength(3);
    for (const mark of ['U+202E', 'U+200B', 'U+2066']) {
      expect(markup).toContain(`<mark>${mark}</mark>`);
    }
    for (const value of ['null', 'false']) expect(markup).toContain(`"value">${value}</span>`);
    expect(markup).toContain('<em>empty</em>');
    expect(markup).toContain('Marks such as');
    expect(shown()).not.toContain('Marks such as');
  });

  it.each([[{}], [null]])('without arguments, %j, says that there are none', (none) => {
    expect(shown({ arguments: none })).toContain('sends no further details');
  });

  it('says that truncated arguments are only the beginning', () => {
    const markup = shown({ arguments: `{"a":"${HOSTILE}\u202e`, truncated: true });
    expect(markup).toContain('Only the beginning is shown');
    expect(markup).not.toMatch(/<img|<table/);
    expect(markup).toContain('<mark>U+202E</mark>');
  });

  it.each([
    ['by click', {}, true, ['submit no', 'submit once', 'submit always']],
    ['by click, never always', {}, false, ['submit no', 'submit once']],
    ['by passkey', { passkey: true }, false, ['submit no', 'button once']],
    ['by passkey, always', { passkey: true }, true, ['submit no', 'button once', 'button always']],
  ] as const)('%s: has these answers, with what each means', (_how, changes, always, expected) => {
    const markup = shown(changes, { canAllowAlways: always });
    expect(decisions(markup)).toEqual(expected);
    for (const one of expected) {
      const id = `means-${one.split(' ')[1]}`;
      expect(markup).toContain(`aria-describedby="${id}"`);
      expect(markup).toContain(`<p id="${id}"`);
    }
    expect(markup.includes('<noscript>')).toBe('passkey' in changes);
    expect(markup).toMatch(
      /<form[^>]*method="POST"[^>]*action="\/svc\/account\/requests\/request1"/,
    );
  });

  it('says how long there is time, and what happens without an answer', () => {
    expect(shown()).toMatch(/answer within 9 minutes \(until <time datetime="2026-11-18T/);
    expect(shown({ expiresAt: NOW + 1 })).toContain('within 1 minute (');
  });

  it('leads to the page of the app, by its id alone', () => {
    expect(shown()).toContain('href="/svc/account/apps/grant%2F1"');
  });

  it.each([
    ['once', 'Allowed once'],
    ['always', 'Always allowed'],
    ['no', 'Not allowed'],
    ['expired', 'This request has expired'],
  ] as const)('%s: says what happens now, and takes no answer', (state, words) => {
    const markup = shown({ state, arguments: null });
    expect(markup).toContain(words);
    expect(markup).not.toMatch(/<form|<button/);
  });

  it('is expired from the moment on, whatever was stored', () => {
    expect(shown({ expiresAt: NOW })).toContain('This request has expired');
  });

  it('says that an answer came too late', () => {
    expect(shown({ state: 'no' }, { isLate: true })).toContain(
      'your last answer wasn&#8217;t used',
    );
    expect(shown({ state: 'no' })).not.toContain('your last answer');
  });

  it.each(['title', 'name', 'app', 'page'] as const)('escapes the %s', (member) => {
    const value = member === 'page' ? { title: HOSTILE, url: `no ${HOSTILE}` } : HOSTILE;
    const { html } = requestPage({
      ...site,
      userName: HOSTILE,
      request: { ...request, [member]: value },
      permission: HOSTILE,
      canAllowAlways: true,
      now: NOW,
    });
    expect(html).not.toContain('<img');
  });

  it.each(['en', 'de', 'he'])('has no gap in %s', (tag) => {
    const language = builtInPageLanguages.choose([tag]);
    for (const state of ['open', 'once', 'always', 'no', 'expired'] as const) {
      expect(shown({ state }, { language })).not.toMatch(/\{\w+\}/);
    }
  });
});

describe('the page of a request that is not there', () => {
  it('is 404 and has nothing to answer', () => {
    const { status, html } = requestGonePage(site);
    expect(status).toBe(404);
    expect(html).not.toMatch(/<form|<button|<script/);
  });
});
