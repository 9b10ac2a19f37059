import { Browser } from '../support/browser.js';
import { changeConnection } from '../support/connection.js';
import { eventually } from '#libs/platform/testing';
import { startGatehouse, useGatehouse } from '../support/gatehouse.js';
import { OAuthClient } from '../support/oauth-client.js';
import { CodeApp } from './code-app.js';

describe('run_code (contract: Code)', () => {
  const gatehouse = useGatehouse(() => startGatehouse({ BUDGET_DAILY_LIMIT: '100000' }));
  let app: CodeApp;

  beforeAll(async () => {
    app = await CodeApp.connect(gatehouse);
  });

  it('runs code on its input and charges what it says', async () => {
    const before = await app.used();
    const code = 'console.log("sum of", input); return input.reduce((a, b) => a + b)';
    const { structured, texts } = await app.run({ code, input: [1, 2, 3] });
    expect(texts).toEqual([JSON.stringify(structured)]);
    expect(structured).toEqual({
      value: 6,
      logs: ['sum of [1,2,3]'],
      creditsUsed: expect.any(Number),
    });
    expect(await app.used()).toBe(before + (structured?.creditsUsed ?? 0));
    expect(structured?.creditsUsed).toBeGreaterThanOrEqual(2);
    expect(structured?.creditsUsed).toBeLessThan(100);
  });

  it.each([
    ['return { list: [null, "é"] }', { list: [null, 'é'] }],
    ['const a = [1, 2]; a.map((n) => n * 2)', [2, 4]],
    ['{ sum: 1 + 1 }', { sum: 2 }],
  ])('gives the value of %s', async (code, value) => {
    expect((await app.run({ code })).structured?.value).toEqual(value);
  });

  it.each([
    ['let a = 1', null, /gave no value/],
    ['() => 1', null, /is a function/],
    [
      '({ a: NaN, b: new Map([[1, 2]]) })',
      { a: null, b: {} },
      /"a" is NaN.*"b" is an instance of Map/,
    ],
  ])('says beside its JSON what that cannot say of %s', async (code, value, words) => {
    const { texts, structured } = await app.run({ code });
    expect(structured).toEqual({ value, logs: [], creditsUsed: expect.any(Number) });
    expect(texts).toEqual([JSON.stringify(structured), expect.stringMatching(words)]);
  });

  it('takes more time when it is asked to', async () => {
    const code = 'const end = Date.now() + 1200; while (Date.now() < end); return "done"';
    expect((await app.run({ code })).refusal).toContain('did not end within 1000 ms');
    expect((await app.run({ code, timeoutMs: 5000 })).structured?.value).toBe('done');
  });

  it.each([
    ['for (;;);', 'did not end within 400 ms', 'timeoutMs (at most 5000)'],
    ['const a = [1]; a.length = 2 ** 32 - 1; a.indexOf(5)', 'did not end within 400 ms', 'faster'],
    ['throw new Error("broken")', 'it threw Error: broken (line 1)', 'correct it'],
    ['return { toJSON() { throw 1 } }', 'not usable', 'correct it'],
    ['const a = 1\nretur a', 'SyntaxError', '(line 2)'],
    ['return "x".repeat(1e5)', 'larger than 65536 bytes', 'call again'],
    ['console.log("got here"); return nope', "'nope' is not defined", 'got here'],
    ['return new Promise(() => {})', 'a promise that nothing settles', 'correct it'],
  ])('says what went wrong, what it cost and what to do: %s', async (code, what, advice) => {
    const before = await app.used();
    const { refusal } = await app.run({ code, timeoutMs: 400 });
    expect(refusal).toContain(what);
    expect(refusal).toContain(advice);
    const cost = Number(/It cost (\d+) credits?;/.exec(refusal ?? '')?.[1]);
    expect(await app.used()).toBe(before + cost);
  });

  it.each([
    ['no code', {}],
    ['code of 64 KiB and a byte in UTF-8', { code: `//${'é'.repeat(32_768)}` }],
    ['too much time', { code: 'return 1', timeoutMs: 5_001 }],
    ['too much input', { code: 'return 1', input: 'x'.repeat(262_143) }],
  ])('refuses %s for free', async (_what, args) => {
    const before = await app.used();
    const { refusal } = await app.run(args);
    expect(refusal).toMatch(/fit|larger than|nested/);
    expect(await app.used()).toBe(before);
  });

  it.each([65, 97])('refuses input nested %d levels deep for free', async (levels) => {
    const before = await app.used();
    const input = `${'['.repeat(levels)}${']'.repeat(levels)}`;
    const { refusal } = await app.runWith(`{"code":"return 1","input":${input}}`);
    expect(refusal).toContain('nested more than 64 levels');
    expect(await app.used()).toBe(before);
  });

  it('takes code of 64 KiB and input of 256 KiB', async () => {
    const code = `return input.length //${'x'.repeat(65_536 - 23)}`;
    expect(Buffer.byteLength(code)).toBe(65_535);
    const { structured } = await app.run({ code, input: 'x'.repeat(262_142) });
    expect(structured?.value).toBe(262_142);
  });

  it('needs the scope', async () => {
    const browser = new Browser(gatehouse);
    await browser.signUp();
    const client = await OAuthClient.register(gatehouse);
    const { access_token: token } = await client.connect(browser, ['account:read']);
    await changeConnection(browser, { mayAsk: false });
    const answer = await client.mcp(token, 'tools/call', {
      name: 'run_code',
      arguments: { code: 'return 1' },
    });
    expect(answer.status).toBe(403);
    expect(answer.headers['www-authenticate']).toContain('code:run');
  });

  it('screens code before it runs', async () => {
    const { refusal } = await app.run({ code: 'return "fuck"' });
    expect(refusal).toContain('does not allow');
    expect(refusal).not.toContain('fuck');
  });

  it('answers as before after all kinds of failures at once', async () => {
    const codes = [
      'for (;;);',
      'new Array(2 ** 32 - 1).join("x")',
      'const a = []; for (;;) a.push(new Array(1e4).fill(a))',
      '(function f() { f() })()',
      'throw { get message() { throw 1 } }',
    ];
    const eves = await Promise.all(codes.map(() => CodeApp.connect(gatehouse)));
    const refusals = await Promise.all(
      eves.map((eve, index) => eve.run({ code: codes[index], timeoutMs: 100 })),
    );
    for (const { refusal } of refusals) expect(refusal).toMatch(/^(The code failed|Nothing was)/);
    expect((await app.run({ code: 'return "well"' })).structured?.value).toBe('well');
    expect(await app.used()).toBeGreaterThan(0);
  });

  it('answers what runs when the service stops, if its grace is long enough', async () => {
    const own = await startGatehouse();
    const ann = await CodeApp.connect(own);
    const running = ann.run({ code: 'for (;;);', timeoutMs: 700 });
    await eventually(async () => expect(await ann.used()).toBeGreaterThan(0));
    await own.stop();
    expect((await running).refusal).toContain('did not end within 700 ms');
  });

  it('cuts what runs when the grace is over', async () => {
    const own = await startGatehouse({ SHUTDOWN_GRACE: '1' });
    const ann = await CodeApp.connect(own);
    const running = ann.run({ code: 'for (;;);', timeoutMs: 5_000 }).catch(() => 'cut off');
    await eventually(async () => expect(await ann.used()).toBeGreaterThan(0));
    await own.stop();
    expect(await running).toBe('cut off');
  });
});
