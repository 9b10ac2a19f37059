import { decodeProtectedHeader } from 'jose';
import { runAdminProcess } from '../support/admin-process.js';
import { Browser } from '../support/browser.js';
import { ServerProcess } from '../support/built-server.js';
import type { Answer } from '../support/http.js';
import { OAuthClient, type TokenResponse } from '../support/oauth-client.js';
import { connectTo, FILES, introspect, REPORTS, ResourceFiles } from '../support/resource-files.js';
import { storageForTests, type TestStorage } from '../support/services/storage-for-tests.js';

/** Both processes answer as one service, under the origin of the first. */
interface Replica {
  readonly port: number;
  readonly origin: string;
}

const shared = globalThis.STORAGE === 'postgres';

(shared ? describe : describe.skip)(
  'further resources on two processes (skipped where storage is not shared)',
  () => {
    let files: ResourceFiles;
    let storage: TestStorage;
    let servers: ServerProcess[];
    let replicas: [Replica, Replica];
    let browser: Browser;
    let client: OAuthClient;

    beforeAll(async () => {
      files = await ResourceFiles.of(REPORTS, { ...FILES, tokens: 'opaque' });
      storage = await storageForTests();
      const start = () =>
        new ServerProcess({
          PORT: '0',
          LOG_LEVEL: 'info',
          RATE_LIMIT_MAX: '100000',
          ...storage.environment,
          ...files.variables,
        });
      servers = [start(), start()];
      const [one = 0, other = 0] = await Promise.all(servers.map((each) => each.port()));
      const origin = `http://localhost:${one}`;
      replicas = [
        { port: one, origin },
        { port: other, origin },
      ];
    });
    beforeEach(async () => {
      browser = new Browser(replicas[0]);
      await browser.signUp();
      client = await OAuthClient.register(replicas[0]);
    });
    afterAll(async () => {
      await Promise.all(servers.map((one) => one.kill()));
      await storage.dispose();
      files.remove();
    });

    /** Sends 32 parallel calls, every second one to the other process. */
    const race = (work: (replica: Replica) => Promise<Answer>) =>
      Promise.all(Array.from({ length: 32 }, (_, n) => work(replicas[n % 2] as Replica)));
    const succeeded = (answers: Answer[], status = 200) =>
      answers.filter((answer) => answer.status === status);
    const tokensIn = (answers: Answer[]) =>
      succeeded(answers).map((answer) => answer.json<TokenResponse>());
    const onBoth = <T>(ask: (replica: Replica) => Promise<T>) => Promise.all(replicas.map(ask));
    const isActive = (token: string) =>
      onBoth(async (replica) => (await introspect(replica, token, REPORTS))['active']);
    const { resource } = REPORTS;
    const apps = async () =>
      (await browser.get('/svc/me/apps')).json<{ apps: { id: string; scope: string[] }[] }>().apps;

    it('a JWT of what is disconnected on one is inactive on both, refreshes in flight included', async () => {
      const tokens = await client.connect(browser, ['reports:read'], { resource });
      const [app] = await apps();
      const refreshing = race((replica) => client.at(replica).refresh(tokens.refresh_token));
      expect((await browser.send('DELETE', `/svc/me/apps/${app?.id}`)).status).toBe(204);
      const issued = [tokens, ...tokensIn(await refreshing)];
      const states = await Promise.all(issued.map((one) => isActive(one.access_token)));
      expect(states.flat()).not.toContain(true);
    });

    it('of exchanges for two resources at once one grant of each stays', async () => {
      const forms = await Promise.all(
        Array.from({ length: 12 }, async (_, n) => {
          const asked = n % 3 ? { resource } : { resource: FILES.resource };
          return client.showConsent(browser.at(replicas[n % 2] as Replica), asked);
        }),
      );
      const answers = await Promise.all(
        forms.map((handle, n) => {
          const here = browser.at(replicas[(n + 1) % 2] as Replica);
          return client.answerConsent(here, handle, ['reports:read', 'files:read']);
        }),
      );
      expect(succeeded(answers, 302)).toHaveLength(12);
      const codes = answers.map(({ headers }) => new URL(headers.location ?? '').searchParams);
      const exchanged = await Promise.all(
        codes.map((code, n) =>
          client.at(replicas[n % 2] as Replica).exchange(code.get('code') ?? ''),
        ),
      );
      const resources = tokensIn(exchanged).map((tokens) => tokens.resource);
      expect(new Set(resources)).toEqual(new Set([FILES.resource, resource]));
      const scopes = (await apps()).map(({ scope }) => scope.join(' ')).toSorted();
      expect(scopes).toEqual(['files:read', 'reports:read']);
    });

    it('of first rotations at once one key signs, and two replicas that start then use it', async () => {
      const fresh = await ResourceFiles.of(REPORTS);
      fresh.removeKeys();
      const empty = await storageForTests();
      const given = { PORT: '0', LOG_LEVEL: 'info', ...empty.environment, ...fresh.variables };
      const started = [new ServerProcess(given)];
      try {
        expect(await started[0]?.exitCode()).toBe(1);
        const rotations = await Promise.all(
          Array.from({ length: 3 }, () => runAdminProcess(given, 'keys', 'rotate')),
        );
        const keys = fresh.keys();
        expect(rotations.filter(({ code }) => code === 0)).toHaveLength(keys.length);
        const now = Date.now() / 1000;
        const signing = keys.filter(({ signsFrom }) => signsFrom <= now).map(({ kid }) => kid);
        expect(signing).toHaveLength(1);
        const pair = [new ServerProcess(given), new ServerProcess(given)];
        started.push(...pair);
        const tokens = await Promise.all(
          pair.map(async (one) => {
            const port = await one.port();
            const place = { port, origin: `http://localhost:${port}` };
            const person = new Browser(place);
            await person.signUp();
            return connectTo(place, person, REPORTS);
          }),
        );
        const kids = tokens.map((one) => decodeProtectedHeader(one.access_token).kid);
        expect(kids).toEqual([...signing, ...signing]);
      } finally {
        await Promise.all(started.map((one) => one.kill()));
        await empty.dispose();
        fresh.remove();
      }
    });
  },
);
