import { Browser } from '../support/browser.js';
import { startGatehouse } from '../support/gatehouse.js';
import { OAuthClient, type TokenResponse } from '../support/oauth-client.js';
import { statementsIn } from '../support/statements.js';

const verbOf = (sql: string) => /^\w+/.exec(sql)?.[0];

/** The parts of the change that an answer is; on Postgres they are one statement, which a replica has to hear of. */
const APPROVAL =
  globalThis.STORAGE === 'postgres'
    ? ['START', 'WITH', 'COMMIT']
    : ['DELETE', 'INSERT', 'INSERT', 'UPDATE'];

describe('what consent costs', () => {
  it('the form is two look-ups and one write; its answer is one change beside three look-ups', async () => {
    const gatehouse = await startGatehouse();
    const browser = new Browser(gatehouse);
    await browser.signUp();
    const client = await OAuthClient.register(gatehouse);
    let handle = '';
    const shown = await statementsIn(gatehouse, async () => {
      handle = await client.showConsent(browser);
    });
    expect(shown.map(verbOf)).toEqual(['SELECT', 'SELECT', 'INSERT']);
    const answer = () => client.answerConsent(browser, handle, ['account:read']);
    const answered = await statementsIn(gatehouse, answer);
    const lookedUp = ['SELECT', 'SELECT', 'SELECT'];
    expect(answered.map(verbOf)).toEqual([...lookedUp, ...APPROVAL, 'UPDATE']);
    await gatehouse.stop();
  });
});

/** The parts of the change that an exchange or a refresh is. */
const REDEMPTION =
  globalThis.STORAGE === 'postgres' ? ['WITH'] : ['UPDATE', 'UPDATE', 'DELETE', 'INSERT'];

describe('what token requests cost', () => {
  it('one look-up and one change, the client included', async () => {
    const gatehouse = await startGatehouse();
    const browser = new Browser(gatehouse);
    await browser.signUp();
    const client = await OAuthClient.register(gatehouse);
    const code = await client.authorize(browser);
    let token = '';
    const exchanged = await statementsIn(gatehouse, async () => {
      token = (await client.exchange(code)).json<TokenResponse>().refresh_token;
    });
    expect(exchanged.map(verbOf)).toEqual(['SELECT', ...REDEMPTION]);
    const refreshed = await statementsIn(gatehouse, () => client.refresh(token));
    expect(refreshed.map(verbOf)).toEqual(['SELECT', ...REDEMPTION]);
    await gatehouse.stop();
  });

  it('whether an account is disabled or a client blocked costs no statement of its own', async () => {
    const gatehouse = await startGatehouse();
    const browser = new Browser(gatehouse);
    await browser.signUp();
    const client = await OAuthClient.register(gatehouse);
    const { refresh_token: token } = await client.connect(browser);
    const asking = (statements: readonly string[]) =>
      statements.filter((sql) => /disabled_at|oauth_blocks/.test(sql));
    const once = [expect.stringMatching(/^SELECT .*disabled_at.*oauth_blocks/)];
    expect(asking(await statementsIn(gatehouse, () => client.refresh(token)))).toEqual(once);
    const code = await client.authorize(browser);
    expect(asking(await statementsIn(gatehouse, () => client.exchange(code)))).toEqual(once);
    await gatehouse.stop();
  });
});
