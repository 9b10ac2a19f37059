import { Logger } from '@nestjs/common';
import { Admin } from '../support/admin.js';
import { Browser } from '../support/browser.js';
import { startGatehouse, useGatehouse } from '../support/gatehouse.js';
import { OAuthClient, REDIRECT_URI } from '../support/oauth-client.js';

const CURSOR = 'cursor://anysphere/cb';
const VARIABLE = 'PRIVATE_USE_REDIRECT_SCHEMES';

describe('private-use schemes (contract: Client registration)', () => {
  const gatehouse = useGatehouse();
  const allowing = useGatehouse(() => startGatehouse({ [VARIABLE]: 'cursor' }, gatehouse));
  let browser: Browser;
  let warn: ReturnType<typeof jest.spyOn>;

  const register = (uris: string[]) =>
    browser.post(
      '/svc/oauth/register',
      { redirect_uris: uris, token_endpoint_auth_method: 'none' },
      { 'content-type': 'application/json' },
    );
  const clients = async () =>
    (await new Admin(gatehouse).json<{ items: unknown[] }>('clients', 'list')).items;
  const refused = async (path: string) => {
    const answer = await browser.get(path);
    expect([answer.status, answer.headers.location]).toEqual([400, undefined]);
    expect(answer.headers['content-type']).toMatch(/^text\/plain/);
    return answer.text;
  };

  beforeEach(() => {
    browser = new Browser(gatehouse);
    warn = jest.spyOn(Logger.prototype, 'warn').mockImplementation(() => undefined);
  });
  afterEach(() => warn.mockRestore());

  it.each([
    ['one', [CURSOR]],
    ['several', [CURSOR, 'com.example.app:/cb', 'urn:ietf:wg:oauth:2.0:oob']],
  ])(
    '400 | register | %s and no other way back: the reason, in the log too, and nothing stored',
    async (_many, uris) => {
      const before = await clients();
      const answer = await register(uris);
      expect([answer.status, answer.json()]).toEqual([
        400,
        {
          error: 'invalid_redirect_uri',
          error_description: expect.stringMatching(new RegExp(`^[^"\\\\]+${VARIABLE}[^"\\\\]+$`)),
        },
      ]);
      expect(warn).toHaveBeenCalledWith(
        `a registration was refused: ${VARIABLE} does not list cursor`,
      );
      expect(await clients()).toEqual(before);
    },
  );

  it('one beside another redirect URI is stored', async () => {
    expect((await register([CURSOR, REDIRECT_URI])).status).toBe(201);
    expect((await register(['com.example.app:/cb', 'https://app.example/cb'])).status).toBe(201);
  });

  it('400 | authorize | one that is not allowed: page and log name the variable', async () => {
    const app = await OAuthClient.register(gatehouse, { redirect_uris: [CURSOR, REDIRECT_URI] });
    const text = await refused(app.authorizePath({ redirect_uri: CURSOR }));
    expect(text).toContain(VARIABLE);
    expect(text).not.toMatch(/cursor|did not match/);
    expect(warn).toHaveBeenCalledWith(
      `an authorization request was refused: ${VARIABLE} does not list cursor`,
    );
    await browser.agent.get(app.authorizePath({ redirect_uri: REDIRECT_URI })).expect(200);
  });

  it('400 | authorize | one that was allowed when its client registered', async () => {
    const app = await OAuthClient.register(allowing, { redirect_uris: [CURSOR] });
    for (const uri of [CURSOR, undefined]) {
      expect(await refused(app.authorizePath({ redirect_uri: uri }))).toContain(VARIABLE);
    }
  });

  it('400 | authorize | one that is not registered is not the matter of a variable', async () => {
    const app = await OAuthClient.register(gatehouse, { redirect_uris: [CURSOR, REDIRECT_URI] });
    for (const uri of ['cursor://anysphere/other', 'evil://x', 'javascript:alert(1)']) {
      expect(await refused(app.authorizePath({ redirect_uri: uri }))).not.toContain(VARIABLE);
    }
    expect(warn).not.toHaveBeenCalled();
  });

  it('one that is listed takes the answer back', async () => {
    const app = await OAuthClient.register(allowing, {
      redirect_uris: ['com.example.app:/cb', CURSOR],
    });
    const user = new Browser(allowing);
    await user.signUp();
    const handle = await app.showConsent(user, { redirect_uri: CURSOR });
    const answer = await app.answerConsent(user, handle, ['account:read']);
    expect(answer.status).toBe(302);
    expect(answer.headers.location).toMatch(/^cursor:\/\/anysphere\/cb\?code=/);
  });
});
