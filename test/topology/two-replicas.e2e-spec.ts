import type { PublicKeyCredentialCreationOptionsJSON } from '@simplewebauthn/server';
import { Browser } from '../support/browser.js';
import type { Answer } from '../support/http.js';
import { OAuthClient } from '../support/oauth-client.js';
import { describeTopology, Topology } from '../support/topology.js';

describeTopology('two replicas behind the load balancer are one service', () => {
  let topology: Topology;
  let browser: Browser;
  let client: OAuthClient;

  beforeAll(async () => {
    topology = await Topology.start();
    browser = new Browser(topology);
    await browser.signUp();
  });
  beforeEach(async () => {
    client = await OAuthClient.register(topology);
  });
  afterAll(() => topology.stop());

  const replicaOf = ({ headers }: Answer) => String(headers['x-replica']);
  /** Repeats the work until each replica has answered it. */
  const onBoth = async (work: () => Promise<Answer>) => {
    const answers = [await work()];
    while (new Set(answers.map(replicaOf)).size < 2) answers.push(await work());
    return answers.map(({ status }) => status);
  };

  it('a challenge from one is verified on the other', async () => {
    const stranger = new Browser(topology);
    const options = await stranger.post('/svc/auth/register/options', { displayName: 'Bea' });
    const response = await stranger.authenticator.create(
      options.json<PublicKeyCredentialCreationOptionsJSON>(),
      topology.origin,
    );
    const verified = await stranger.post('/svc/auth/register/verify', response);
    expect(verified.status).toBe(200);
    expect(replicaOf(verified)).not.toBe(replicaOf(options));
    const statuses = await onBoth(() => stranger.get('/svc/me/apps'));
    expect(new Set(statuses)).toEqual(new Set([200]));
  });

  it('a consent shown by one is answered on the other, and its code redeemed on the first', async () => {
    const page = await browser.get(client.authorizePath());
    const handle = /name="handle" value="([^"]+)"/.exec(page.text)?.[1] ?? '';
    const answered = await client.answerConsent(browser, handle, ['account:read']);
    expect(answered.status).toBe(302);
    const code = new URL(String(answered.headers.location)).searchParams.get('code') ?? '';
    const redeemed = await client.exchange(code);
    expect(redeemed.status).toBe(200);
    const [shownBy, answeredBy, redeemedBy] = [page, answered, redeemed].map(replicaOf);
    expect(answeredBy).not.toBe(shownBy);
    expect(redeemedBy).not.toBe(answeredBy);
  });

  it('what is disconnected on one is refused by both at once', async () => {
    const tokens = await client.connect(browser);
    expect(await onBoth(() => client.mcp(tokens.access_token))).not.toContain(401);
    const { apps } = (await browser.get('/svc/me/apps')).json<{ apps: { id: string }[] }>();
    expect((await browser.send('DELETE', `/svc/me/apps/${apps[0]?.id}`)).status).toBe(204);
    const used = await onBoth(() => client.mcp(tokens.access_token));
    const refreshed = await onBoth(() => client.refresh(tokens.refresh_token));
    expect(new Set(used)).toEqual(new Set([401]));
    expect(new Set(refreshed)).toEqual(new Set([400]));
  });

  it('a session that ended on one is over on both', async () => {
    const other = new Browser(topology, browser.authenticator);
    await other.signIn();
    const cookie = other.cookie ?? '';
    expect((await other.post('/svc/auth/logout')).status).toBe(204);
    const statuses = await onBoth(() => new Browser(topology).get('/svc/me/apps', { cookie }));
    expect(new Set(statuses)).toEqual(new Set([401]));
  });
});
