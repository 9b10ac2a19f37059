import type { BuiltIn } from 'gatehouse';
import { AccessPolicy } from 'gatehouse/oauth';
import {
  AdminApi,
  Browser,
  eventually,
  type Gatehouse,
  OAuthClient,
  startGatehouse,
} from 'gatehouse/testing';
import { AcmeAccessPolicy } from '../src/acme-access-policy.js';
import { extension } from '../src/acme.extension.js';
import { CompanySignInModule } from '../src/company-sign-in.module.js';
import { CompanyProvider } from './company-provider.js';

const SIGN_IN = '/acme/sign-in';
const DIRECTORY_TOKEN = 'a token of the directory in tests';
const ADMIN_TOKEN = 'correct-horse-battery-staple-0123';

describe('sign-in by the company', () => {
  let company: CompanyProvider;
  let gatehouse: Gatehouse;
  let browser: Browser;

  beforeAll(async () => {
    company = await CompanyProvider.start();
    const client = { clientId: 'gatehouse', clientSecret: 'a secret of the tests' };
    const { issuer } = company;
    const modules = (builtIn: BuiltIn) => [
      ...(extension.modules?.(builtIn) ?? []),
      CompanySignInModule.forRoot(builtIn, { issuer, ...client, directoryToken: DIRECTORY_TOKEN }),
    ];
    const { replacements = {} } = extension;
    const policy = { provide: AccessPolicy, useFactory: () => new AcmeAccessPolicy(issuer) };
    const oauth = [...(replacements.oauth ?? []), policy];
    gatehouse = await startGatehouse({
      extensions: [{ ...extension, modules, replacements: { ...replacements, oauth } }],
      variables: {
        SIGN_IN_LINKS: `Sign in with Acme|de:Mit Acme anmelden=${SIGN_IN}`,
        MANAGEMENT_PORT: '0',
        ADMIN_TOKEN,
      },
    });
    const callback = `${gatehouse.origin}${SIGN_IN}/callback`;
    company.register(client.clientId, client.clientSecret, callback);
  });
  beforeEach(() => {
    browser = new Browser(gatehouse);
    company.person = { sub: '00u1', name: 'Ann Smith' };
  });
  afterAll(async () => {
    await gatehouse.stop();
    await company.stop();
  });

  const pathOf = (address = 'about:blank') => {
    const { pathname, search } = new URL(address, gatehouse.origin);
    return `${pathname}${search}`;
  };

  /** The provider's answer to a sign-in that this browser begins. */
  const askCompany = async () => {
    const { headers } = await browser.get(SIGN_IN);
    return pathOf(await company.visit(String(headers.location)));
  };

  const nameOf = async (person: Browser) => (await person.me()).user?.displayName;

  it('begins on the account page, and ends there', async () => {
    const page = await browser.get('/svc/account');
    expect(page.text).toContain(`<a href="${SIGN_IN}" dir="auto">Sign in with Acme</a>`);
    const inGerman = await browser.get('/svc/account', { 'accept-language': 'de-AT' });
    expect(inGerman.text).toContain('dir="auto">Mit Acme anmelden</a>');
    const { status, headers } = await browser.get(await askCompany());
    expect([status, headers.location]).toEqual([302, `${gatehouse.origin}/svc/account`]);
    const { user } = await browser.me();
    expect(user?.displayName).toBe('Ann Smith');

    browser = new Browser(gatehouse);
    await browser.get(await askCompany());
    expect((await browser.me()).user).toEqual(user);
  });

  it('greets a new person, once', async () => {
    company.person = { sub: '00u8', name: 'Bea' };
    for (let time = 0; time < 2; time += 1) {
      browser = new Browser(gatehouse);
      await browser.get(await askCompany());
      // The person is on the way to the account page when the greeting is counted.
      await eventually(async () => {
        expect((await browser.get('/acme/me/greetings')).json()).toEqual({ count: 1 });
      });
    }
  });

  it('returns to the app that asked for it', async () => {
    const app = await OAuthClient.register(gatehouse);
    await browser.get(app.authorizePath());
    const { headers } = await browser.get(await askCompany());
    expect(pathOf(headers.location)).toBe(app.authorizePath());
    expect(await app.connect(browser, ['acme:greet'])).toMatchObject({ scope: 'acme:greet' });
  });

  it('lets people of the company alone connect apps, and no app run code on the first day', async () => {
    await browser.signUp('Passer-by');
    const app = await OAuthClient.register(gatehouse);
    const refused = await browser.get(app.authorizePath());
    expect(refused.text).toContain('Only people who sign in with Acme connect apps.');
    expect(refused.text).not.toContain('name="scope"');

    browser = new Browser(gatehouse);
    await browser.get(await askCompany());
    const page = await browser.get(app.authorizePath());
    expect(page.text).toContain('value="acme:greet"');
    expect(page.text).not.toContain('value="code:run"');
    const given = await app.connect(browser, ['acme:greet', 'code:run']);
    expect(given.scope).toBe('acme:greet');
  });

  it('takes an answer of the browser that asked alone, once', async () => {
    const answer = await askCompany();
    const victim = new Browser(gatehouse);
    expect((await victim.get(answer)).status).toBe(400);
    await victim.get(SIGN_IN);
    expect((await victim.get(answer)).status).toBe(400);
    expect(await nameOf(victim)).toBeUndefined();

    expect((await browser.get(answer)).status).toBe(302);
    await browser.post('/svc/auth/logout');
    expect((await browser.get(answer)).status).toBe(400);
    expect(await nameOf(browser)).toBeUndefined();
  });

  it('links an account with a passkey, which the company opens from then on', async () => {
    company.person = { sub: '00u7', name: 'Wile E.' };
    await browser.signUp('Wile');
    const { user } = await browser.me();
    expect((await browser.get(`${SIGN_IN}/link`)).json()).toEqual({ isLinked: false });
    const { status, headers } = await browser.post(`${SIGN_IN}/link`);
    expect(status).toBe(302);
    const answer = pathOf(await company.visit(String(headers.location)));
    const linked = await browser.get(answer);
    expect([linked.status, linked.headers.location]).toEqual([302, '/svc/account']);
    expect((await browser.get(`${SIGN_IN}/link`)).json()).toEqual({ isLinked: true });

    const app = await OAuthClient.register(gatehouse);
    expect((await browser.get(app.authorizePath())).text).toContain('value="acme:greet"');
    browser = new Browser(gatehouse);
    expect((await browser.post(`${SIGN_IN}/link`)).status).toBe(401);
    await browser.get(await askCompany());
    expect((await browser.me()).user).toEqual(user);
  });

  it('disables the account of a person who left the company, with its passkey, and says who did', async () => {
    company.person = { sub: '00u8', name: 'Lea' };
    await browser.get(await askCompany());
    const { user } = await browser.me();
    const leave = async (subject: unknown, token = DIRECTORY_TOKEN) => {
      const headers = { authorization: `Bearer ${token}` };
      const { status, text } = await new Browser(gatehouse).send(
        'POST',
        '/acme/leavers',
        { subject },
        headers,
      );
      return [status, text];
    };
    expect((await leave('00u8', 'a guess'))[0]).toBe(401);
    expect((await leave({}))[0]).toBe(400);
    expect(await leave('00u0')).toEqual([200, '{"disabled":false}']);
    expect((await browser.me()).user).toEqual(user);

    expect(await leave('00u8')).toEqual([200, '{"disabled":true}']);
    expect((await browser.me()).user).toBeNull();
    expect((await browser.get(await askCompany())).status).toBe(403);
    const admin = new AdminApi(gatehouse, ADMIN_TOKEN);
    await eventually(async () => {
      const { items } = await admin.json<{ items: object[] }>('GET', `audit?user=${user?.id}`);
      const disabled = { type: 'user-disabled', actor: 'acme-directory' };
      expect(items).toContainEqual(expect.objectContaining(disabled));
    });
  });

  it('refuses what the company refuses', async () => {
    const { searchParams } = new URL(String((await browser.get(SIGN_IN)).headers.location));
    const state = searchParams.get('state') ?? '';
    const answer = await browser.get(`${SIGN_IN}/callback?error=access_denied&state=${state}`);
    expect([answer.status, answer.text]).toEqual([400, 'this sign-in failed; start again']);
  });

  it('is for people who may have an account', async () => {
    company.person = { sub: '00u2', name: 'Acme Robot' };
    const { status, text } = await browser.get(await askCompany());
    expect(status).toBe(403);
    expect(text).toContain('names with Acme in them');
    expect(await nameOf(browser)).toBeUndefined();
  });
});
