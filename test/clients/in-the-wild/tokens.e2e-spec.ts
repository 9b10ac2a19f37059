import { randomUUID } from 'node:crypto';
import { DataSource } from 'typeorm';
import { hashSecret } from '#libs/accounts';
import { Browser } from '../../support/browser.js';
import { useGatehouse } from '../../support/gatehouse.js';
import type { Answer } from '../../support/http.js';
import { OAuthClient, REDIRECT_URI, type TokenResponse } from '../../support/oauth-client.js';

type Headers = Record<string, string>;

const TOKEN = '/svc/oauth/token';
const REVOKE = '/svc/oauth/revoke';
const FORM = { 'content-type': 'application/x-www-form-urlencoded' };

const basic = (text: string) => ({
  authorization: `Basic ${Buffer.from(text).toString('base64')}`,
});
const refusal = ({ status, json }: Answer) => [
  status,
  json()['error'],
  json()['error_description'],
];

describe('what clients send to the token endpoint (contract: What is forgiven)', () => {
  const gatehouse = useGatehouse();
  let browser: Browser;

  beforeAll(async () => {
    browser = new Browser(gatehouse);
    await browser.signUp();
  });

  const registered = (method = 'none', metadata = {}) =>
    OAuthClient.register(gatehouse, { token_endpoint_auth_method: method, ...metadata });
  const post = (client: OAuthClient, body: string, headers: Headers = {}, path = TOKEN) =>
    client.post(path, body, { ...FORM, ...headers });
  const form = (parameters: Record<string, string>) => new URLSearchParams(parameters).toString();
  const refreshWith = (token: string) => ({ grant_type: 'refresh_token', refresh_token: token });
  const alive = async (client: OAuthClient, { access_token: token }: TokenResponse) =>
    (await client.mcp(token)).status === 200;

  describe('the secret of a client (contract: Token endpoint)', () => {
    const SECRETS = ['client_secret_basic', 'client_secret_post'];
    const inBody = (id: string, secret: string) => ({ client_id: id, client_secret: secret });

    it.each(
      SECRETS.flatMap(
        (method): [string, string, (id: string, secret: string) => Headers, object][] => [
          ['ChatGPT, in the body', method, () => ({}), inBody],
          ['VS Code, by Basic', method, (id, secret) => basic(`${id}:${secret}`), () => ({})],
          [
            'n8n, by Basic and its id in the body',
            method,
            (id, secret) => basic(`${id}:${secret}`),
            (id: string) => ({ client_id: id }),
          ],
          [
            '.NET, two spaces and a scheme in small letters',
            method,
            (id, secret) => ({
              authorization: basic(`${id}:${secret}`).authorization.replace('Basic', 'basic '),
            }),
            () => ({}),
          ],
          [
            'a client that encodes what need not be',
            method,
            (id, secret) =>
              basic(
                `${id}:${secret}`.replaceAll(/[-_]/g, (c) => `%${c.charCodeAt(0).toString(16)}`),
              ),
            () => ({}),
          ],
        ],
      ),
    )('%s, registered for %s', async (_client, method, headersOf, bodyOf) => {
      const client = await registered(method);
      const { id, secret = '' } = client;
      const parameters = (bodyOf as typeof inBody)(id, secret);
      const code = await client.authorize(browser);
      const exchange = { grant_type: 'authorization_code', code, code_verifier: client.verifier };
      const wrong = await post(
        client,
        form({ ...exchange, ...(bodyOf as typeof inBody)(id, 'x') }),
        headersOf(id, 'x'),
      );
      expect(refusal(wrong)).toEqual([401, 'invalid_client', 'client authentication failed']);
      const given = await post(client, form({ ...exchange, ...parameters }), headersOf(id, secret));
      expect(given.status).toBe(200);
      const { access_token: access, refresh_token: token } = given.json<TokenResponse>();
      const revoked = await post(
        client,
        form({ token, ...parameters }),
        headersOf(id, secret),
        REVOKE,
      );
      expect(revoked.status).toBe(200);
      expect((await client.mcp(access)).status).toBe(401);
    });

    it.each(SECRETS)('two ways at once, or none, for one registered for %s', async (method) => {
      const client = await registered(method);
      const { id, secret = '' } = client;
      const given = await client.connect(browser);
      const send = (parameters: Record<string, string>, headers: Headers) =>
        post(client, form({ ...refreshWith(given.refresh_token), ...parameters }), headers);
      const twice = [400, 'invalid_request', 'use one way of client authentication, not several'];
      expect(refusal(await send(inBody(id, secret), basic(`${id}:${secret}`)))).toEqual(twice);
      expect(refusal(await send(inBody(id, secret), basic(`${id}:`)))).toEqual(twice);
      const none = [401, 'invalid_client', `the client is registered for ${method}, not none`];
      expect(refusal(await send({}, basic(`${id}:`)))).toEqual(none);
      expect(refusal(await send({ client_id: id }, {}))).toEqual(none);
      expect(refusal(await send({ client_id: id, client_secret: '' }, {}))).toEqual(none);
      expect((await send({}, basic(`${id}:${secret}`))).status).toBe(200);
    });

    it.each<[string, (id: string) => Headers, (id: string) => object]>([
      ['Goose: Basic with an empty secret', (id) => basic(`${id}:`), () => ({})],
      ['and its id in the body', (id) => basic(`${id}:`), (id) => ({ client_id: id })],
      ['an empty client_secret', () => ({}), (id) => ({ client_id: id, client_secret: '' })],
    ])('a public client, %s', async (_client, headersOf, bodyOf) => {
      const client = await registered();
      const { refresh_token: token } = await client.connect(browser);
      const body = form({ ...refreshWith(token), ...bodyOf(client.id) });
      expect((await post(client, body, headersOf(client.id))).status).toBe(200);
    });

    it('a public client with a secret is refused in either way', async () => {
      const client = await registered();
      const { refresh_token: token } = await client.connect(browser);
      const body = form({ ...refreshWith(token), client_id: client.id });
      for (const [text, headers, method] of [
        [`${body}&client_secret=x`, {}, 'client_secret_post'],
        [body, basic(`${client.id}:x`), 'client_secret_basic'],
        [body, basic(`${client.id}::`), 'client_secret_basic'],
      ] as const) {
        const told = `the client is registered for none, not ${method}`;
        expect(refusal(await post(client, text, headers))).toEqual([401, 'invalid_client', told]);
      }
    });

    it('another id in the body than by Basic is refused', async () => {
      const [client, other] = [await registered(), await registered()];
      const { refresh_token: token } = await client.connect(browser);
      const body = form({ ...refreshWith(token), client_id: client.id });
      const answer = await post(client, body, basic(`${other.id}:`));
      expect(refusal(answer)).toEqual([400, 'invalid_request', 'client_id differs']);
    });
  });

  describe('parameters (contract: Token endpoint)', () => {
    it.each<[string, (body: string, client: OAuthClient) => string]>([
      ['LibreChat: client_id twice alike', (body, { id }) => `${body}&client_id=${id}`],
      [
        'client_id three times, encoded',
        (body, { id }) => `client%5Fid=${id}&${body}&+client_id=${id}+`,
      ],
      ['curl: a line break at the end of the body', (body) => `${body}\n`],
      ['PowerShell: a line break of Windows', (body) => `${body}\r\n`],
      ['a body that begins with white space', (body) => `\r\n ${body}`],
      ['a byte order mark before the body', (body) => `\uFEFF${body}`],
      ['white space around every value', (body) => body.replaceAll(/=([^&]+)/g, '=%20$1%0A')],
      ['white space around every name', (body) => body.replaceAll(/(^|&)/g, '$1%09')],
      ['ampersands that separate nothing', (body) => `&&${body.replaceAll('&', '&&')}&`],
      ['empty parameters', (body) => `${body}&scope=&resource=&client_secret=&foo=`],
      [
        'the resource twice',
        (body) =>
          `${body}&resource=RESOURCE&resource=RESOURCE/`.replaceAll(
            'RESOURCE',
            encodeURIComponent(`${gatehouse.origin}/svc/mcp`),
          ),
      ],
      ['Cursor: a query beside the body', (body) => body],
    ])('%s', async (_client, bodyOf) => {
      const client = await registered();
      const code = await client.authorize(browser);
      const exchange = {
        grant_type: 'authorization_code',
        code,
        code_verifier: client.verifier,
        redirect_uri: REDIRECT_URI,
        client_id: client.id,
      };
      const given = await post(client, bodyOf(form(exchange), client), {}, `${TOKEN}?a=b`);
      expect([given.status, given.text]).toEqual([200, expect.any(String)]);
      const { refresh_token: token } = given.json<TokenResponse>();
      const refresh = form({ ...refreshWith(token), client_id: client.id });
      const next = await post(client, bodyOf(refresh, client));
      expect(next.status).toBe(200);
      const access = next.json<TokenResponse>();
      const revoke = form({ token: access.refresh_token, client_id: client.id });
      expect((await post(client, bodyOf(revoke, client), {}, REVOKE)).status).toBe(200);
      expect(await alive(client, access)).toBe(false);
    });

    const OTHER = 'x';
    const repeated = [
      'grant_type',
      'code',
      'code_verifier',
      'redirect_uri',
      'scope',
      'client_secret',
      'client_assertion',
      'assertion',
      'token',
    ];
    it.each(repeated)('%s twice is refused by its name and costs nothing', async (name) => {
      const client = await registered();
      const code = await client.authorize(browser);
      const exchange = form({
        grant_type: 'authorization_code',
        code,
        code_verifier: client.verifier,
        client_id: client.id,
      });
      const encoded = `${name.slice(0, 1)}%${name.charCodeAt(1).toString(16)}${name.slice(2)}`;
      for (const again of [
        `${name}=${OTHER}&${name}=${OTHER}`,
        `${name}=${OTHER}&${encoded}=${OTHER}`,
        `${name}=${OTHER}&+${name}=y`,
      ]) {
        const answer = await post(client, `${again}&${exchange}`);
        expect(refusal(answer)).toEqual([400, 'invalid_request', `${name} is given twice`]);
      }
      const given = await post(client, exchange);
      expect(given.status).toBe(200);
    });

    it('a refresh token twice, two client ids, and an unknown parameter twice', async () => {
      const client = await registered();
      const { refresh_token: token } = await client.connect(browser);
      const refresh = form({ ...refreshWith(token), client_id: client.id });
      for (const [more, name] of [
        [`refresh_token=${token}`, 'refresh_token'],
        [`client_id=${OTHER}`, 'client_id'],
        [`client%5fid=${OTHER}`, 'client_id'],
        ['secret_word=1&secret_word=2', 'a parameter'],
      ]) {
        const answer = await post(client, `${refresh}&${more}`);
        expect(refusal(answer)).toEqual([400, 'invalid_request', `${name} is given twice`]);
      }
      expect((await post(client, refresh)).status).toBe(200);
    });

    const BELONG = 'parameters belong into the form-encoded body';
    it.each<[string, (parameters: Record<string, string>) => [string, Headers, string?]]>([
      [
        'a .NET client, JSON',
        (all) => [JSON.stringify(all), { 'content-type': 'application/json' }],
      ],
      ['axios, JSON that is called a form', (all) => [JSON.stringify(all), FORM]],
      [
        'JSON behind a line break that is called a form',
        (all) => [`\n${JSON.stringify(all)}`, FORM],
      ],
      [
        'FormData, multipart',
        (all) => [JSON.stringify(all), { 'content-type': 'multipart/form-data; boundary=x' }],
      ],
      ['no type at all', (all) => [form(all), { 'content-type': '' }]],
      ['Copilot Studio, all in the query', (all) => ['', FORM, form(all)]],
      [
        'Copilot Studio, all in the query without a type',
        (all) => ['', { 'content-type': '' }, form(all)],
      ],
      [
        'the client_id in the query',
        ({ client_id: id = '', ...others }) => [form(others), FORM, `client_id=${id}`],
      ],
      ['the code in the query', ({ code = '', ...others }) => [form(others), FORM, `code=${code}`]],
      [
        'the type in the query',
        ({ grant_type: type = '', ...others }) => [form(others), FORM, `grant_type=${type}`],
      ],
    ])('%s: the error says where parameters belong', async (_client, requestOf) => {
      const client = await registered();
      const code = await client.authorize(browser);
      const exchange = {
        grant_type: 'authorization_code',
        code,
        code_verifier: client.verifier,
        client_id: client.id,
      };
      const [body, headers, query = ''] = requestOf(exchange);
      const answer = await client.send('POST', `${TOKEN}?${query}`, body, headers);
      expect(refusal(answer)).toEqual([400, 'invalid_request', expect.stringContaining(BELONG)]);
      expect((await client.exchange(code)).status).toBe(200);
    });
  });

  describe('refresh tokens (contract: Refresh)', () => {
    const altered = (token: string): [string, string][] => [
      ['without its last character', token.slice(0, -1)],
      ['without its first character', token.slice(1)],
      ['cut at 43 characters', token.slice(0, 43)],
      ['its family alone', token.slice(0, 22)],
      ['with a character behind it', `${token}A`],
      ['in quotes', `"${token}"`],
      ['percent-encoded twice', encodeURIComponent(token).replaceAll('~', '%7E')],
      ['with a null behind it', `${token}\0`],
      ['with a space inside', `${token.slice(0, 30)} ${token.slice(30)}`],
      ['with a line break inside', `${token.slice(0, 30)}\n${token.slice(30)}`],
      ['in capitals', token.toUpperCase()],
      ['with another last character', token.slice(0, -1) + (token.endsWith('A') ? 'B' : 'A')],
      ['with another character in the middle', token.replace('~', 'A')],
      ['its family with other characters', token.slice(0, 22) + randomUUID()],
      ['twice', token + token],
    ];

    it('n8n, a line break behind it: it is the same', async () => {
      const client = await registered();
      const { refresh_token: token } = await client.connect(browser);
      const next = await client.refresh(`${token}\n`);
      expect(next.status).toBe(200);
      expect((await client.revoke(` ${next.json<TokenResponse>().refresh_token}\r\n`)).status).toBe(
        200,
      );
      expect(await alive(client, next.json<TokenResponse>())).toBe(false);
    });

    it('cut, extended or altered it is unknown, and the grant goes on', async () => {
      const client = await registered();
      const first = await client.connect(browser);
      const second = (await client.refresh(first.refresh_token)).json<TokenResponse>();
      const third = (await client.refresh(second.refresh_token)).json<TokenResponse>();
      for (const { refresh_token: token } of [first, second, third]) {
        for (const [how, sent] of altered(token)) {
          const answer = await client.refresh(sent);
          expect([how, answer.status, answer.json()['error']]).toEqual([how, 400, 'invalid_grant']);
          expect([how, (await client.revoke(sent)).status]).toEqual([how, 200]);
        }
      }
      expect(await alive(client, third)).toBe(true);
      expect((await client.refresh(third.refresh_token)).status).toBe(200);
    });

    it('a replaced one as it was issued still ends the grant, however often it was refreshed since', async () => {
      const client = await registered();
      const tokens = [await client.connect(browser)];
      for (let n = 0; n < 4; n += 1) {
        const answer = await client.refresh(tokens.at(-1)?.refresh_token ?? '');
        tokens.push(answer.json<TokenResponse>());
      }
      const [first, last] = [tokens[0], tokens.at(-1)];
      if (!first || !last) throw new Error('no tokens');
      expect((await client.refresh(first.refresh_token)).json()['error']).toBe('invalid_grant');
      expect(await alive(client, last)).toBe(false);
    });

    // As a replica of the version before issues them, and as this one then finds them.
    it.each([43, 65])(
      'of an earlier version, %i characters: replaced, then replayed',
      async (length) => {
        const client = await registered();
        const first = await client.connect(browser);
        const family = first.refresh_token.slice(0, 22);
        const older = family + 'x'.repeat(length - family.length);
        const hashes = [older, first.refresh_token].map((token) => hashSecret(token));
        const dataSource = gatehouse.app.get(DataSource);
        const statement = `UPDATE oauth_tokens SET id_hash = $1 WHERE id_hash = $2`;
        await dataSource.query(statement, hashes);
        const second = (await client.refresh(older)).json<TokenResponse>();
        expect(second.refresh_token).toMatch(new RegExp(`^${family}~`));
        const third = (await client.refresh(second.refresh_token)).json<TokenResponse>();
        for (const other of [`${older}x`, older.slice(0, -1)]) {
          expect((await client.refresh(other)).json()['error']).toBe('invalid_grant');
          expect(await alive(client, third)).toBe(true);
        }
        expect((await client.refresh(older)).json()['error']).toBe('invalid_grant');
        expect(await alive(client, third)).toBe(false);
      },
    );

    it.each([
      ['Claude Code: two spaces at the end', 'account:read  ', 'account:read'],
      ['several spaces between', ' account:read   tabs:read ', 'account:read tabs:read'],
      ['VS Code: a scope of OpenID Connect', 'openid account:read offline_access', 'account:read'],
      ['only scopes that do not exist', 'openid offline_access', 'account:read tabs:read'],
      ['a line break at the end', 'tabs:read\n', 'tabs:read'],
      ['a comma at the end', 'tabs:read,', 'tabs:read'],
      ['joined by commas', 'openid,account:read,account:read', 'account:read'],
      ['joined by a line break', 'account:read\nprofile', 'account:read'],
    ])('%s: answered with the rest', async (_client, scope, given) => {
      const client = await registered();
      const { refresh_token: token } = await client.connect(browser, ['account:read', 'tabs:read']);
      const answer = await client.refresh(token, { scope });
      expect([answer.status, answer.json()['scope']]).toEqual([200, given]);
    });

    it.each([
      ['that was never given', 'account:read code:run'],
      ['that was never given, beside one that does not exist', 'openid code:run'],
      ['that are joined by commas', 'account:read,code:run'],
      ['that are joined by a tab', 'code:run\topenid'],
    ])('a scope %s is invalid_scope', async (_what, scope) => {
      const client = await registered();
      const { refresh_token: token } = await client.connect(browser, ['account:read']);
      const answer = await client.refresh(token, { scope });
      expect([answer.status, answer.json()['error']]).toEqual([400, 'invalid_scope']);
      expect((await client.refresh(token)).status).toBe(200);
    });
  });
});
