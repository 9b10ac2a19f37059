import { Browser } from '../support/browser.js';
import { eventually } from '#libs/platform/testing';
import { type Operation, usedAfterRevoked } from '../support/history.js';
import type { Answer } from '../support/http.js';
import { OAuthClient, type TokenResponse } from '../support/oauth-client.js';
import { describeTopology, Topology } from '../support/topology.js';

const CONNECTIONS = 6;
const CALLERS = 3;
const ROUNDS = 3;

/** A connected app that sends requests without a pause, and the outcome of each. */
class BusyApp {
  readonly history: Operation[] = [];
  private going = true;

  private constructor(
    private readonly browser: Browser,
    private readonly client: OAuthClient,
    private tokens: TokenResponse,
  ) {}

  static async connect(topology: Topology): Promise<BusyApp> {
    const browser = new Browser(topology);
    await browser.signUp();
    const client = await OAuthClient.register(topology);
    return new BusyApp(browser, client, await client.connect(browser));
  }

  /** Disconnects the app during its work; resolves when its requests have been refused for a while. */
  async disconnectWhileBusy() {
    const { apps } = (await this.browser.get('/svc/me/apps')).json<{ apps: { id: string }[] }>();
    const work = [this.goOn(() => this.refresh())];
    for (let n = 0; n < CALLERS; n += 1) work.push(this.goOn(() => this.use()));
    await this.more(20);
    const gone = () => this.browser.send('DELETE', `/svc/me/apps/${apps[0]?.id}`);
    await this.note('revokes', gone);
    await this.more(20);
    this.going = false;
    await Promise.all(work);
  }

  private async goOn(work: () => Promise<unknown>) {
    while (this.going) await work();
  }

  private async more(requests: number) {
    const enough = this.history.length + requests;
    await eventually(() => expect(this.history.length).toBeGreaterThan(enough));
  }

  private use = () => this.note('uses', () => this.client.mcp(this.tokens.access_token));

  private async refresh() {
    const answer = await this.note('uses', () => this.client.refresh(this.tokens.refresh_token));
    if (answer.status === 200) this.tokens = answer.json<TokenResponse>();
  }

  private async note(effect: Operation['effect'], work: () => Promise<Answer>) {
    const startedAt = performance.now();
    const answer = await work();
    this.history.push({
      id: this.history.length,
      name: effect,
      item: 'the connection',
      effect,
      startedAt,
      endedAt: performance.now(),
      outcome: answer.status,
      expected: answer.status < 300 || answer.status === 400 || answer.status === 401,
    });
    return answer;
  }
}

describeTopology('an app that is disconnected while it is busy over two replicas', () => {
  let topology: Topology;

  beforeAll(async () => {
    topology = await Topology.start();
  });
  afterAll(() => topology.stop());

  it.each(Array.from({ length: ROUNDS }, (_, n) => n + 1))(
    'succeeds with nothing that began after it was gone (round %i)',
    async () => {
      const apps = await Promise.all(
        Array.from({ length: CONNECTIONS }, () => BusyApp.connect(topology)),
      );
      const turns = await topology.turns(() =>
        Promise.all(apps.map((app) => app.disconnectWhileBusy())),
      );
      expect(Math.min(...turns)).toBeGreaterThan(CONNECTIONS);
      for (const { history } of apps) {
        const revoked = history.find(({ effect }) => effect === 'revokes');
        expect(revoked?.outcome).toBe(204);
        const began = Number(revoked?.startedAt);
        const before = history.filter(({ endedAt }) => endedAt < began);
        expect(before.filter(({ outcome }) => outcome !== 200)).toEqual([]);
        expect(usedAfterRevoked(history)).toEqual([]);
        expect(history.filter(({ expected }) => !expected)).toEqual([]);
      }
    },
  );
});
