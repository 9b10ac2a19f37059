import { answerRequest, done, newText, notes, oneRequest, openRequests } from '../../mcp/asking.js';
import type { ToolAnswer } from '../../mcp/connected-app.js';
import { Browser } from '../../support/browser.js';
import { startGatehouse, useGatehouse } from '../../support/gatehouse.js';
import { OAuthClient, type TokenResponse } from '../../support/oauth-client.js';
import { CLAUDE_CODE, VS_CODE } from '../../support/recorded-clients.js';

/** How a client speaks: its registration, what it adds to scopes, and the headers of its messages. */
interface Way {
  readonly metadata: { readonly redirect_uris: readonly string[] };
  readonly redirectUri: string;
  readonly protocol: string;
  /** The scope of its authorization, from that of the challenge. */
  readonly asked: (challenged: string) => string;
  /** The scope of each refresh, from that of its authorization. */
  readonly refreshed: (asked: string) => string;
  readonly headers: Readonly<Record<string, string>>;
}

const WAYS: readonly (readonly [string, Way])[] = [
  [
    'Claude Code',
    {
      metadata: CLAUDE_CODE,
      redirectUri: 'http://localhost:54212/callback',
      protocol: '2025-11-25',
      asked: (scope) => scope,
      refreshed: (scope) => `${scope}  `,
      headers: {
        accept: 'application/json, text/event-stream',
        'user-agent': 'claude-code/2.1.63 (cli)',
        'accept-language': '*',
        'sec-fetch-mode': 'cors',
      },
    },
  ],
  [
    'VS Code',
    {
      metadata: VS_CODE,
      redirectUri: 'http://127.0.0.1:33418/',
      protocol: '2025-06-18',
      asked: (scope) => `${scope} offline_access`,
      refreshed: (scope) => `openid ${scope}`,
      headers: {
        accept: 'text/event-stream, application/json',
        'user-agent': 'Visual Studio Code/1.130.0',
      },
    },
  ],
];

describe('a call without its permission, by clients as they are (contract: Requests)', () => {
  const gatehouse = useGatehouse(() => startGatehouse({}, undefined, [notes]));

  it.each(WAYS)(
    '%s: allowed in another browser, ends well and stays allowed',
    async (_name, way) => {
      const browser = new Browser(gatehouse);
      await browser.signUp();
      const client = await OAuthClient.register(gatehouse, way.metadata);
      const say = (message: object, more: Record<string, string> = {}) =>
        client.send('POST', '/svc/mcp', JSON.stringify({ jsonrpc: '2.0', ...message }), {
          'content-type': 'application/json',
          ...way.headers,
          ...more,
        });
      const info = { name: 'client', version: '1' };
      const hello = { protocolVersion: way.protocol, capabilities: {}, clientInfo: info };
      const challenge = await say({ id: 0, method: 'initialize', params: hello });
      expect(challenge.status).toBe(401);
      const [, challenged = ''] =
        /scope="([^"]*)"/.exec(String(challenge.headers['www-authenticate'])) ?? [];
      expect(challenged).toBe('account:read tabs:read');

      const asked = way.asked(challenged);
      const resource = `${gatehouse.origin}/svc/mcp`;
      const chosen = { redirect_uri: way.redirectUri, resource };
      const code = await client.authorize(browser, challenged.split(' '), {
        ...chosen,
        scope: asked,
      });
      const tokens = (await client.exchange(code, chosen)).json<TokenResponse>();
      expect(tokens.scope).toBe(challenged);

      const signed = (token: string) => ({
        authorization: `Bearer ${token}`,
        'mcp-protocol-version': way.protocol,
      });
      const { authorization } = signed(tokens.access_token);
      const welcome = await say({ id: 0, method: 'initialize', params: hello }, { authorization });
      expect(welcome.text).toContain(way.protocol);
      const started = { method: 'notifications/initialized' };
      expect((await say(started, signed(tokens.access_token))).status).toBe(202);
      const listed = await say({ id: 1, method: 'tools/list' }, signed(tokens.access_token));
      expect(listed.text).toContain('"note"');

      const text = newText();
      const called = async (token: string) => {
        const params = { name: 'note', arguments: { text }, _meta: { progressToken: 2 } };
        const answer = await say({ id: 2, method: 'tools/call', params }, signed(token));
        const [last = ''] = answer.text.match(/\{"(?:jsonrpc|result|id)".*\}/g)?.slice(-1) ?? [];
        return (JSON.parse(last) as { result?: ToolAnswer }).result?.structuredContent;
      };
      const ran = () => done.filter((each) => each === text).length;
      const call = called(tokens.access_token);
      const elsewhere = new Browser(gatehouse, browser.authenticator);
      expect((await elsewhere.signIn()).status).toBe(200);
      const { id } = await oneRequest(elsewhere);
      expect(ran()).toBe(0);
      await answerRequest(elsewhere, 'always', id);
      expect([await call, ran()]).toEqual([{ text }, 1]);

      const scope = way.refreshed(asked);
      const refreshed = await client.refresh(tokens.refresh_token, { resource, scope });
      expect(refreshed.status).toBe(200);
      const { access_token: next } = refreshed.json<TokenResponse>();
      expect([await called(next), ran(), await openRequests(elsewhere)]).toEqual([{ text }, 2, []]);
    },
  );
});
