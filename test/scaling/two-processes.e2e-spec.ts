import { Browser } from '../support/browser.js';
import { ServerProcess } from '../support/built-server.js';
import type { Answer } from '../support/http.js';
import { OAuthClient, type TokenResponse } from '../support/oauth-client.js';
import { storageForTests, type TestStorage } from '../support/services/storage-for-tests.js';

const shared = globalThis.STORAGE === 'postgres';

/** Both processes answer as one service, so requests use the origin of the first one. */
interface Replica {
  readonly port: number;
  readonly origin: string;
}

(shared ? describe : describe.skip)(
  'two processes on one Postgres and one Redis (skipped where storage is not shared)',
  () => {
    let storage: TestStorage;
    let processes: ServerProcess[];
    let replicas: [Replica, Replica];
    let browser: Browser;
    let client: OAuthClient;

    /** Sends 32 parallel calls, every second one to the other process. */
    const race = (work: (replica: Replica) => Promise<Answer>) =>
      Promise.all(Array.from({ length: 32 }, (_, n) => work(replicas[n % 2] as Replica)));
    const succeeded = (answers: Answer[], status = 200) =>
      answers.filter((answer) => answer.status === status);

    beforeAll(async () => {
      storage = await storageForTests();
      const start = () =>
        new ServerProcess({
          PORT: '0',
          LOG_LEVEL: 'info',
          RATE_LIMIT_MAX: '100000',
          ...storage.environment,
        });
      processes = [start(), start()];
      const ports = await Promise.all(processes.map((one) => one.port()));
      const origin = `http://localhost:${ports[0]}`;
      replicas = [
        { port: ports[0] ?? 0, origin },
        { port: ports[1] ?? 0, origin },
      ];
      browser = new Browser(replicas[0]);
      await browser.signUp();
    });
    beforeEach(async () => {
      client = await OAuthClient.register(replicas[0]);
    });
    afterAll(async () => {
      await Promise.all(processes.map((one) => one.kill()));
      await storage.dispose();
    });

    it('start at once on an empty database, and know each other’s sessions', async () => {
      expect((await browser.at(replicas[1]).me()).user).not.toBeNull();
    });

    it('a registration challenge has one winner', async () => {
      const stranger = new Browser(replicas[0]);
      const response = await stranger.attest();
      const answers = await race((replica) =>
        new Browser(replica).post('/svc/auth/register/verify', response),
      );
      expect(succeeded(answers)).toHaveLength(1);
    });

    it('a code has one winner', async () => {
      const code = await client.authorize(browser);
      const answers = await race((replica) => client.at(replica).exchange(code));
      expect(succeeded(answers)).toHaveLength(1);
      expect(succeeded(answers, 400)).toHaveLength(31);
    });

    it('a consent shown by one is answered on the other, once', async () => {
      const handle = await client.showConsent(browser);
      const answers = await race((replica) =>
        client.answerConsent(browser.at(replica), handle, ['account:read']),
      );
      expect(succeeded(answers, 302)).toHaveLength(1);
      expect(succeeded(answers, 400)).toHaveLength(31);
    });

    it('parallel refreshes all succeed; a replaced token never does, anywhere', async () => {
      const { refresh_token: first } = await client.connect(browser);
      const answers = await race((replica) => client.at(replica).refresh(first));
      expect(succeeded(answers)).toHaveLength(32);
      const next = answers[0]?.json<TokenResponse>().refresh_token ?? '';
      expect((await client.at(replicas[1]).refresh(next)).status).toBe(200);
      expect(succeeded(await race((replica) => client.at(replica).refresh(first)))).toEqual([]);
    });

    it('what is disconnected on one is refused on the other at once, refreshes in flight included', async () => {
      const tokens = await client.connect(browser);
      const { apps } = (await browser.get('/svc/me/apps')).json<{ apps: { id: string }[] }>();
      const refreshing = race((replica) => client.at(replica).refresh(tokens.refresh_token));
      const gone = await browser.send('DELETE', `/svc/me/apps/${apps[0]?.id}`);
      expect(gone.status).toBe(204);
      expect((await client.at(replicas[1]).mcp(tokens.access_token)).status).toBe(401);
      for (const answer of succeeded(await refreshing)) {
        const { access_token: token } = answer.json<TokenResponse>();
        expect((await client.at(replicas[1]).mcp(token)).status).toBe(401);
      }
    });
  },
);
