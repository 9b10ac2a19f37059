import { Admin } from '../support/admin.js';
import { Browser } from '../support/browser.js';
import { type Gatehouse, startGatehouse, useGatehouse } from '../support/gatehouse.js';
import type { Answer } from '../support/http.js';
import { OAuthClient, REDIRECT_URI, type TokenResponse } from '../support/oauth-client.js';
import { requestTo } from '../support/request.js';
import { FILES, NOTES, resourcesFile } from '../support/resource-files.js';

const notes = NOTES.resource;
const files = FILES.resource;
const OWN_SCOPES = ['account:read', 'tabs:read', 'tabs:write', 'code:run'];
const TWO = 'only one resource can be requested at a time';
const UNKNOWN = 'resource indicator is missing, or unknown';
const UNLISTED = 'that is no resource of this server, whose metadata lists them';
const FORM = { 'content-type': 'application/x-www-form-urlencoded' };

/** The error that the client is told, in the body or by the redirect. */
const errorOf = ({ status, headers, json }: Answer) => {
  const { searchParams } = new URL(headers.location ?? 'about:blank');
  return [status, searchParams.get('error') ?? json<{ error?: string }>().error];
};

/** The same with its sentence. */
const refusalOf = (answer: Answer) => {
  const { searchParams } = new URL(answer.headers.location ?? 'about:blank');
  const told = searchParams.has('error')
    ? searchParams.get('error_description')
    : answer.json()['error_description'];
  return errorOf(answer).concat(told as string);
};

describe('further resources (contract: Resources)', () => {
  const gatehouse = useGatehouse(() => startGatehouse(resourcesFile(NOTES, FILES)));
  let own: string;
  let browser: Browser;
  let client: OAuthClient;

  beforeAll(async () => {
    own = `${gatehouse.origin}/svc/mcp`;
  });
  beforeEach(async () => {
    browser = new Browser(gatehouse);
    await browser.signUp('Ann');
    client = await OAuthClient.register(gatehouse);
  });

  const connect = (scope: string, resource: string) =>
    client.connect(browser, [scope], { resource });
  const apps = async () =>
    (await browser.get('/svc/me/apps')).json<{ apps: { id: string; scope: string[] }[] }>().apps;
  const scopesShown = async (params: Record<string, string>) => {
    const { text } = await browser.get(client.authorizePath(params));
    return [...text.matchAll(/name="scope" value="([^"]+)"/g)].map(([, name]) => name);
  };

  describe('metadata', () => {
    it('of the authorization server has all of them, and their scopes', async () => {
      const { body } = await requestTo(gatehouse).get('/.well-known/oauth-authorization-server');
      expect(body).toMatchObject({
        protected_resources: [own, notes, files],
        scopes_supported: [...OWN_SCOPES, 'notes:read', 'notes:write', 'files:read'],
      });
    });

    it('of /svc/mcp is as before', async () => {
      const { body } = await requestTo(gatehouse).get(
        '/.well-known/oauth-protected-resource/svc/mcp',
      );
      expect(body).toEqual({
        resource: own,
        authorization_servers: [gatehouse.origin],
        scopes_supported: OWN_SCOPES,
        bearer_methods_supported: ['header'],
        resource_name: 'Gatehouse',
      });
      const challenge = await client.mcp('x'.repeat(43));
      expect(challenge.headers['www-authenticate']).toContain('scope="account:read tabs:read"');
    });

    it.each(['', '/mcp', '/svc/mcp//', '/svc/mcp/x'])('there is none here at %j', async (path) => {
      await requestTo(gatehouse).get(`/.well-known/oauth-protected-resource${path}`).expect(404);
    });
  });

  describe('the consent page', () => {
    it('names the resource and lists its scopes alone', async () => {
      const page = await browser.get(client.authorizePath({ resource: notes }));
      expect(page.text).toContain('<strong><bdi>Notes &amp; more</bdi></strong>');
      expect(page.text.replaceAll('<wbr />', '')).toContain(`<code dir="ltr">${notes}</code>`);
      expect(page.text).toContain('read your notes');
      expect(await scopesShown({ resource: notes })).toEqual(['notes:read', 'notes:write']);
      expect(await scopesShown({ resource: files })).toEqual(['files:read']);
      expect(await scopesShown({ resource: own })).toEqual(OWN_SCOPES);
      expect(await scopesShown({})).toEqual(OWN_SCOPES);
    });

    it('ticks what was requested, of its own scopes', async () => {
      const scope = 'notes:write account:read files:read';
      const { text } = await browser.get(client.authorizePath({ resource: notes, scope }));
      const ticked = [...text.matchAll(/value="([^"]+)"\s+checked/g)].map(([, name]) => name);
      expect(ticked).toEqual(['notes:write']);
    });

    it('of /svc/mcp is the one of a service without further resources, byte for byte', async () => {
      const plain = await startGatehouse();
      try {
        const there = new Browser(plain);
        await there.signUp('Ann');
        const other = await OAuthClient.register(plain);
        const bytes = (page: Answer, { port }: Gatehouse) =>
          page.text
            .replaceAll(String(port), 'PORT')
            .replaceAll(/(nonce|value)="[\w-]{20,}"/g, '$1')
            .replaceAll(/Registered here on [^<]*/g, '');
        for (const params of [{}, { scope: 'tabs:read' }]) {
          expect(bytes(await browser.get(client.authorizePath(params)), gatehouse)).toBe(
            bytes(await there.get(other.authorizePath(params)), plain),
          );
        }
      } finally {
        await plain.stop();
      }
    });

    it('a scope of another resource on the form is not granted', async () => {
      const scopes = ['notes:read', 'account:read', 'files:read', 'unknown'];
      const tokens = await client.connect(browser, scopes, { resource: notes });
      expect(tokens.scope).toBe('notes:read');
      const handle = await client.showConsent(browser, { resource: notes });
      const refused = await client.answerConsent(browser, handle, ['account:read', 'files:read']);
      expect(refusalOf(refused)).toEqual([
        302,
        'access_denied',
        'the user allowed none of the scopes',
      ]);
      const ours = await client.connect(browser, ['account:read', 'notes:read']);
      expect(ours.scope).toBe('account:read');
    });
  });

  describe('the authorization request', () => {
    const path = (resources: string[]) => {
      const query = new URLSearchParams();
      for (const resource of resources) query.append('resource', resource);
      return `${client.authorizePath()}&${query}`;
    };

    it('takes one resource, however it is spelt and however often', async () => {
      const spellings = ['HTTPS://Notes.example:443/mcp/', notes, notes];
      const page = await browser.get(path(spellings));
      expect([page.status, page.text.includes('notes:read')]).toEqual([200, true]);
    });

    it.each([
      ['two of ours', TWO, [notes, files]],
      ['ours and the default', TWO, () => [own, notes]],
      ['one of ours and another', UNKNOWN, [notes, 'https://evil.example/mcp']],
      ['another', UNKNOWN, ['https://notes.example/other']],
      ['a path', 'resource indicator must be an absolute URI', ['/mcp']],
      [
        'one with a fragment',
        'resource indicator must not contain a fragment component',
        [`${notes}#x`],
      ],
    ])('invalid_target | %s', async (_what, description, resources) => {
      const asked = typeof resources === 'function' ? resources() : resources;
      const answer = await browser.get(path(asked));
      expect(refusalOf(answer)).toEqual([302, 'invalid_target', description]);
      expect(answer.headers.location).toMatch(new RegExp(`^${REDIRECT_URI}\\?`));
    });
  });

  describe('tokens', () => {
    it('are for the resource of their grant, also after a refresh', async () => {
      const tokens = await connect('notes:read', notes);
      expect(tokens).toMatchObject({ resource: notes, scope: 'notes:read', expires_in: 3600 });
      expect((await client.mcp(tokens.access_token)).status).toBe(401);
      const refreshed = (await client.refresh(tokens.refresh_token)).json<TokenResponse>();
      expect(refreshed).toMatchObject({ resource: notes, scope: 'notes:read' });
      const again = await client.refresh(refreshed.refresh_token, { resource: `${notes}/` });
      expect(again.json()).toMatchObject({ resource: notes });
      expect((await client.mcp(again.json<TokenResponse>().access_token)).status).toBe(401);
    });

    it.each([
      ['another one of ours', UNKNOWN, files],
      ['the default', UNKNOWN, undefined],
      ['an unknown one', UNLISTED, 'https://evil.example/mcp'],
    ])(
      'invalid_target at the exchange, which uses nothing up | %s',
      async (_what, description, other) => {
        const code = await client.authorize(browser, ['notes:read'], { resource: notes });
        const refused = await client.exchange(code, { resource: other ?? own });
        expect(refusalOf(refused)).toEqual([400, 'invalid_target', description]);
        const { status, json } = await client.exchange(code);
        expect([status, json<TokenResponse>().resource]).toEqual([200, notes]);
      },
    );

    it.each([
      ['another one of ours', UNKNOWN, files],
      ['the default', UNKNOWN, undefined],
      ['an unknown one', UNLISTED, 'https://evil.example/mcp'],
    ])(
      'invalid_target at a refresh, which uses nothing up | %s',
      async (_what, description, other) => {
        const { refresh_token: token } = await connect('notes:read', notes);
        const refused = await client.refresh(token, { resource: other ?? own });
        expect(refusalOf(refused)).toEqual([400, 'invalid_target', description]);
        expect((await client.refresh(token, { resource: notes })).status).toBe(200);
      },
    );

    it('of /svc/mcp cannot be refreshed into those of another', async () => {
      const { refresh_token: token } = await client.connect(browser);
      expect(refusalOf(await client.refresh(token, { resource: notes }))).toEqual([
        400,
        'invalid_target',
        UNKNOWN,
      ]);
      const scoped = await client.refresh(token, { scope: 'notes:read' });
      expect(refusalOf(scoped)).toEqual([
        400,
        'invalid_scope',
        'refresh token missing requested scope',
      ]);
      expect((await client.refresh(token)).json()).toMatchObject({ resource: own });
    });

    it('a form may name the resource twice, but not two', async () => {
      const { refresh_token: token } = await connect('notes:read', notes);
      const send = (...resources: string[]) => {
        const form = new URLSearchParams({
          grant_type: 'refresh_token',
          client_id: client.id,
          refresh_token: token,
        });
        for (const resource of resources) form.append('resource', resource);
        return client.post('/svc/oauth/token', form.toString(), FORM);
      };
      const refused = await send(notes, files);
      const description = 'a token is for one resource, but the request names two';
      expect(refusalOf(refused)).toEqual([400, 'invalid_target', description]);
      expect((await send(notes, `${notes}/`)).status).toBe(200);
    });
  });

  describe('grants', () => {
    it('are one for each user, client and resource', async () => {
      const first = await client.connect(browser);
      const second = await connect('notes:read', notes);
      const third = await connect('notes:write', notes);
      expect((await client.mcp(first.access_token)).status).toBe(200);
      expect(errorOf(await client.refresh(second.refresh_token))).toEqual([400, 'invalid_grant']);
      expect((await client.refresh(third.refresh_token)).status).toBe(200);
      expect((await apps()).map(({ scope }) => scope)).toEqual([['notes:write'], ['account:read']]);
      const fourth = await client.connect(browser);
      expect((await client.mcp(first.access_token)).status).toBe(401);
      expect((await client.mcp(fourth.access_token)).status).toBe(200);
      expect(await apps()).toHaveLength(2);
    });

    it('are listed with the seven members that an app has, and end one by one', async () => {
      const kept = await client.connect(browser);
      const ended = await connect('notes:read', notes);
      const [app] = await apps();
      expect(Object.keys(app ?? {})).toEqual([
        'id',
        'app',
        'redirectHost',
        'published',
        'scope',
        'createdAt',
        'expiresAt',
      ]);
      expect((await browser.send('DELETE', `/svc/me/apps/${app?.id}`)).status).toBe(204);
      expect(errorOf(await client.refresh(ended.refresh_token))).toEqual([400, 'invalid_grant']);
      expect((await client.mcp(kept.access_token)).status).toBe(200);
    });

    it('end with their refresh token, and not with that of another', async () => {
      const kept = await client.connect(browser);
      const ended = await connect('notes:read', notes);
      expect((await client.revoke(ended.refresh_token)).status).toBe(200);
      expect(errorOf(await client.refresh(ended.refresh_token))).toEqual([400, 'invalid_grant']);
      expect((await client.refresh(kept.refresh_token)).status).toBe(200);
    });

    it('are shown to administrators with their resource, except those for /svc/mcp', async () => {
      await client.connect(browser);
      await connect('notes:read', notes);
      const { user } = await browser.me();
      const args = ['apps', 'list', '--user', user?.id ?? ''];
      const { items } = await new Admin(gatehouse).json<{ items: object[] }>(...args);
      expect(items).toEqual([
        expect.objectContaining({ scope: ['notes:read'], resource: notes }),
        expect.not.objectContaining({ resource: expect.anything() }),
      ]);
    });

    it('keep their apps on the account page, which names the resource', async () => {
      const { text } = await browser.get('/svc/account');
      expect(text).toContain('[&quot;notes:read&quot;,&quot;read your notes&quot;,&quot;Notes ');
      expect(text).toContain('data-slot="resource"');
    });
  });

  describe('when the setting changes', () => {
    it('grants from before go on, and those for a resource that is gone wait for it', async () => {
      const plain = await startGatehouse({}, gatehouse);
      try {
        const there = client.at(plain);
        const old = await there.connect(browser.at(plain));
        expect((await client.mcp(old.access_token)).status).toBe(200);
        expect((await client.refresh(old.refresh_token)).json()).toMatchObject({ resource: own });
        const { refresh_token: token, access_token: access } = await connect('notes:read', notes);
        expect((await there.mcp(access)).status).toBe(401);
        expect(errorOf(await there.refresh(token))).toEqual([400, 'invalid_target']);
        const asked = await there.refresh(token, { resource: notes });
        expect(asked.json()).toEqual({
          error: 'invalid_target',
          error_description: `the only resource here is ${own}`,
        });
        expect((await client.refresh(token)).json()).toMatchObject({ resource: notes });
        expect((await there.revoke(token)).status).toBe(200);
        expect(errorOf(await client.refresh(token))).toEqual([400, 'invalid_grant']);
      } finally {
        await plain.stop();
      }
    });

    it('a form for a resource that is gone gives nothing', async () => {
      const handle = await client.showConsent(browser, { resource: notes });
      const plain = await startGatehouse({}, gatehouse);
      try {
        const there = client.at(plain);
        const answer = await there.answerConsent(browser.at(plain), handle, ['notes:read']);
        expect(errorOf(answer)).toEqual([302, 'access_denied']);
      } finally {
        await plain.stop();
      }
    });
  });
});
