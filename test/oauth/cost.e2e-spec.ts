import { Browser } from '../support/browser.js';
import { useGatehouse } from '../support/gatehouse.js';
import { OAuthClient, type TokenResponse } from '../support/oauth-client.js';
import { statementsIn } from '../support/statements.js';

const verbOf = (sql: string) => /^\w+/.exec(sql)?.[0];
const onPostgres = globalThis.STORAGE === 'postgres';

/** The statements of an approval; on Postgres they are one statement, of which another replica has to be notified. */
const APPROVAL = onPostgres
  ? ['START', 'WITH', 'COMMIT']
  : ['DELETE', 'INSERT', 'INSERT', 'UPDATE'];

/** The statements of a form that begins, which ends those beyond the bound of its account. */
const BEGINNING = onPostgres ? ['WITH'] : ['INSERT', 'DELETE'];

/** The statements of an exchange, whose grant has no refresh token that it could replace, and of a refresh. */
const EXCHANGE = onPostgres ? ['WITH'] : ['UPDATE', 'UPDATE', 'INSERT'];
const REFRESH = onPostgres ? ['WITH'] : ['UPDATE', 'UPDATE', 'DELETE', 'INSERT'];

/** The statements of a sign-in of an account with few sessions. */
const SIGN_IN = onPostgres ? ['WITH'] : ['UPDATE', 'DELETE', 'DELETE', 'INSERT'];

/** Counts the statements sent to the database. */
describe('what authorization costs', () => {
  const gatehouse = useGatehouse();
  let browser: Browser;
  let client: OAuthClient;

  const verbsIn = async (work: () => Promise<unknown>) =>
    (await statementsIn(gatehouse, work)).map(verbOf);

  beforeAll(async () => {
    browser = new Browser(gatehouse);
    await browser.signUp();
  });
  beforeEach(async () => {
    client = await OAuthClient.register(gatehouse);
  });

  it('a form is two look-ups and one change; its answer is one change beside three look-ups', async () => {
    let handle = '';
    const show = async () => void (handle = await client.showConsent(browser));
    expect(await verbsIn(show)).toEqual(['SELECT', 'SELECT', ...BEGINNING]);
    const answer = () => client.answerConsent(browser, handle, ['account:read']);
    const lookedUp = ['SELECT', 'SELECT', 'SELECT'];
    expect(await verbsIn(answer)).toEqual([...lookedUp, ...APPROVAL]);
  });

  it('a token request is one look-up and one change, the client included; an exchange of an app that is connected ends what it replaces, and its requests', async () => {
    let token = '';
    const verbsOfExchange = async () => {
      const code = await client.authorize(browser);
      return verbsIn(async () => {
        token = (await client.exchange(code)).json<TokenResponse>().refresh_token;
      });
    };
    expect(await verbsOfExchange()).toEqual(['SELECT', ...EXCHANGE]);
    expect(await verbsOfExchange()).toEqual(['SELECT', ...EXCHANGE, 'UPDATE', 'UPDATE']);
    expect(await verbsIn(() => client.refresh(token))).toEqual(['SELECT', ...REFRESH]);
  });

  it('a sign-in reads the clock, uses its challenge up, and is one look-up and one change', async () => {
    const phone = new Browser(gatehouse, browser.authenticator);
    expect(await verbsIn(() => phone.signIn())).toEqual(['SELECT', 'INSERT', 'SELECT', ...SIGN_IN]);
  });

  it('an unknown refresh token or code is looked up once, beside its client and the blocks of that', async () => {
    /** All statements, and those that look for a grant. */
    const lookUpsIn = async (work: () => Promise<unknown>) => {
      const statements = await statementsIn(gatehouse, work);
      return [statements.length, statements.filter((sql) => sql.includes('oauth_grants')).length];
    };
    const unknown = `${'u'.repeat(22)}~${'u'.repeat(41)}`;
    expect(await lookUpsIn(() => client.refresh(unknown))).toEqual([3, 1]);
    expect(await lookUpsIn(() => client.exchange('u'.repeat(43)))).toEqual([3, 1]);
    // In the form of earlier versions it may have been replaced, so its family is looked up as well.
    expect(await lookUpsIn(() => client.refresh('u'.repeat(43)))).toEqual([4, 2]);
  });

  it('whether an account is disabled or a client blocked costs no statement of its own', async () => {
    const { refresh_token: token } = await client.connect(browser);
    const asking = async (work: () => Promise<unknown>) =>
      (await statementsIn(gatehouse, work)).filter((sql) => /disabled_at|oauth_blocks/.test(sql));
    const once = [expect.stringMatching(/^SELECT .*disabled_at.*oauth_blocks/)];
    expect(await asking(() => client.refresh(token))).toEqual(once);
    const code = await client.authorize(browser);
    expect(await asking(() => client.exchange(code))).toEqual(once);
  });
});
