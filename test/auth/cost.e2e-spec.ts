import { Browser } from '../support/browser.js';
import { useGatehouse } from '../support/gatehouse.js';
import { redisCommandsIn, statementsIn } from '../support/statements.js';

describe('what requests cost', () => {
  const gatehouse = useGatehouse();
  let browser: Browser;

  const statementsOf = (work: () => Promise<unknown>) => statementsIn(gatehouse, work);
  const commandsOf = (work: () => Promise<unknown>) => redisCommandsIn(gatehouse, work);

  beforeAll(async () => {
    browser = new Browser(gatehouse);
    await browser.signUp();
    await browser.me();
  });

  it('login/options asks for the time, and stores nothing beyond the visit', async () => {
    const options = () => browser.requestOptions();
    expect(await statementsOf(options)).toEqual([expect.stringMatching(/^SELECT .* AS now$/)]);
    if (globalThis.STORAGE === 'embedded') return;
    expect(await commandsOf(options)).toEqual(['evalsha']);
  });

  it('me is one SQL statement and one budget read; with Redis another one of the limit', async () => {
    const [session, ...budget] = await statementsOf(() => browser.me());
    const limit = expect.stringMatching(/JOIN budget_limits/);
    expect(session).toMatch(/^SELECT .* JOIN sessions s .* JOIN users u /);
    if (globalThis.STORAGE === 'embedded') {
      expect(budget).toEqual([expect.stringMatching(/JOIN budgets .*JOIN budget_limits /)]);
      return;
    }
    expect(budget).toEqual([limit]);
    expect(await commandsOf(() => browser.me())).toHaveLength(1);
  });

  it('me costs nothing when signed out', async () => {
    const stranger = new Browser(gatehouse);
    expect(await statementsOf(() => stranger.me())).toEqual([]);
    if (globalThis.STORAGE === 'embedded') return;
    expect(await commandsOf(() => stranger.me())).toEqual([]);
  });
});
