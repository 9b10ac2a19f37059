import { randomUUID } from 'node:crypto';
import { createLocalJWKSet, decodeProtectedHeader, jwtVerify } from 'jose';
import { Admin } from '../support/admin.js';
import { runAdminProcess } from '../support/admin-process.js';
import { Browser } from '../support/browser.js';
import { ServerProcess } from '../support/built-server.js';
import type { Answer } from '../support/http.js';
import { type IssuedMachine, MachineClient, MACHINES } from '../support/machine-client.js';
import { JWT_BEARER, type ManagedAccess, startManagedAccess } from '../support/managed-access.js';
import { OAuthClient, type TokenResponse } from '../support/oauth-client.js';
import {
  connectTo,
  FILES,
  introspect,
  type ListedResource,
  ResourceFiles,
} from '../support/resource-files.js';
import { storageForTests } from '../support/services/storage-for-tests.js';

const REPORTS = {
  resource: 'https://reports.example/mcp',
  name: 'Reports',
  scopes: [{ name: 'reports:read', description: 'read your reports' }],
  tokens: 'jwt',
  introspection: { clientId: 'reports-server', secret: 'the secret of reports' },
} as const satisfies ListedResource;

/** Both processes answer as one service, under the origin that the managed clients know. */
interface Replica {
  readonly port: number;
  readonly origin: string;
}

const shared = globalThis.STORAGE === 'postgres';

(shared ? describe : describe.skip)(
  'further resources, machines and managed access on two processes (skipped where storage is not shared)',
  () => {
    let files: ResourceFiles;
    let managed: ManagedAccess;
    let variables: Readonly<Record<string, string>>;
    let servers: ServerProcess[];
    let replicas: [Replica, Replica];
    let browser: Browser;
    let client: OAuthClient;

    beforeAll(async () => {
      files = await ResourceFiles.of(REPORTS, { ...FILES, tokens: 'opaque' });
      managed = await startManagedAccess();
      variables = {
        ...managed.gatehouse.storage.environment,
        ...files.variables,
        ...MACHINES,
      };
      const start = () =>
        new ServerProcess({
          PORT: '0',
          LOG_LEVEL: 'info',
          RATE_LIMIT_MAX: '100000',
          TRUSTED_ISSUERS_FILE: managed.trustedIssuersFile,
          NODE_EXTRA_CA_CERTS: managed.certificateFile,
          ...variables,
        });
      servers = [start(), start()];
      const [one = 0, other = 0] = await Promise.all(servers.map((each) => each.port()));
      const { origin } = managed.gatehouse;
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
      await managed.stop();
      files.remove();
    });

    /** Sends 32 parallel calls, every second one to the other process. */
    const race = (work: (replica: Replica, n: number) => Promise<Answer>) =>
      Promise.all(Array.from({ length: 32 }, (_, n) => work(replicas[n % 2] as Replica, n)));
    const succeeded = (answers: Answer[], status = 200) =>
      answers.filter((answer) => answer.status === status);
    const tokensIn = (answers: Answer[]) =>
      succeeded(answers).map((answer) => answer.json<TokenResponse>());
    const onBoth = <T>(ask: (replica: Replica) => Promise<T>) => Promise.all(replicas.map(ask));
    const isActive = (token: string) =>
      onBoth(async (replica) => (await introspect(replica, token, REPORTS))['active']);
    const { resource } = REPORTS;
    const connect = () => client.connect(browser, ['reports:read'], { resource });
    const apps = async () =>
      (await browser.get('/svc/me/apps')).json<{ apps: { id: string; scope: string[] }[] }>().apps;

    describe('of a resource with JWTs', () => {
      it('a code has one winner; used once more, it ends what the winner got, everywhere', async () => {
        const code = await client.authorize(browser, ['reports:read'], { resource });
        const answers = await race((replica) => client.at(replica).exchange(code));
        expect(succeeded(answers, 400)).toHaveLength(31);
        const [winner, ...others] = tokensIn(answers);
        expect(others).toEqual([]);
        await client.exchange(code);
        expect(await isActive(winner?.access_token ?? '')).toEqual([false, false]);
      });

      it('parallel refreshes give tokens that both sign and know; a replaced one never does', async () => {
        const { refresh_token: first } = await connect();
        const answers = tokensIn(await race((replica) => client.at(replica).refresh(first)));
        expect(answers).toHaveLength(32);
        const sets = await onBoth(async (replica) =>
          (await new Browser(replica).get('/svc/jwks')).json<never>(),
        );
        for (const { access_token: token } of answers.slice(0, 4)) {
          for (const set of sets) {
            const verified = jwtVerify(token, createLocalJWKSet(set), { audience: resource });
            await expect(verified).resolves.toBeDefined();
          }
          expect(await isActive(token)).toEqual([true, true]);
        }
        const next = answers[0]?.refresh_token ?? '';
        expect((await client.at(replicas[1]).refresh(next)).status).toBe(200);
        expect(tokensIn(await race((replica) => client.at(replica).refresh(first)))).toEqual([]);
      });

      it('what is disconnected on one is inactive on both, refreshes in flight included', async () => {
        const tokens = await connect();
        const [app] = await apps();
        const refreshing = race((replica) => client.at(replica).refresh(tokens.refresh_token));
        expect((await browser.send('DELETE', `/svc/me/apps/${app?.id}`)).status).toBe(204);
        const issued = [tokens, ...tokensIn(await refreshing)];
        const states = await Promise.all(issued.map((one) => isActive(one.access_token)));
        expect(states.flat()).not.toContain(true);
      });
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
      const storage = await storageForTests();
      const given = { PORT: '0', LOG_LEVEL: 'info', ...storage.environment, ...fresh.variables };
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
        await storage.dispose();
        fresh.remove();
      }
    });

    describe('by assertions', () => {
      const present = (replica: Replica, assertion: string) =>
        OAuthClient.published(replica, managed.client.id).token({
          grant_type: JWT_BEARER,
          assertion,
          client_secret: managed.client.secret ?? '',
        });
      const requestsOf = async () => (await managed.idp.requests('acme')).length;

      it('one that is presented to both at once has one winner', async () => {
        for (let round = 0; round < 3; round += 1) {
          const assertion = await managed.assertion(randomUUID());
          const answers = await race((replica) => present(replica, assertion));
          expect(succeeded(answers)).toHaveLength(1);
          expect(succeeded(answers, 400)).toHaveLength(31);
        }
      });

      it('of a person whom neither has seen make one account and one grant', async () => {
        const subject = randomUUID();
        const assertions = await Promise.all(
          Array.from({ length: 32 }, () => managed.assertion(subject)),
        );
        const fetched = await requestsOf();
        const tokens = tokensIn(await race((one, n) => present(one, assertions[n] ?? '')));
        expect(tokens).toHaveLength(32);
        // Metadata and keys, at most once for each process.
        expect((await requestsOf()) - fetched).toBeLessThanOrEqual(4);
        const accounts = await Promise.all(
          tokens.map(async ({ access_token: token }, n) => {
            const app = OAuthClient.published(replicas[n % 2] as Replica, managed.client.id);
            const asked = { name: 'account_status', arguments: {} };
            const { result } = (await app.mcp(token, 'tools/call', asked)).json<{
              result: { structuredContent: { user: { id: string } } };
            }>();
            return result.structuredContent.user.id;
          }),
        );
        const [id = '', ...others] = new Set(accounts);
        expect(others).toEqual([]);
        const { items } = await new Admin(managed.gatehouse).json<{ items: object[] }>(
          'apps',
          'list',
          '--user',
          id,
        );
        expect(items).toHaveLength(1);
      });
    });

    it('machine clients of one name that are made at once are each their own, and end alone', async () => {
      const create = ['clients', 'create', '--machine', '--name', 'Robot', '--scope', 'code:run'];
      const answers = await Promise.all(
        [1, 2].map(() => runAdminProcess(variables, ...create, '--json')),
      );
      const [one, other] = answers.map(({ stdout }) =>
        MachineClient.with(replicas[0], JSON.parse(stdout) as IssuedMachine),
      ) as [MachineClient, MachineClient];
      expect(one.id).not.toBe(other.id);
      // Of those that race with the deletion, none may win.
      const before = await one.token();
      const issuing = race((replica) => one.at(replica).issue());
      await new Admin(managed.gatehouse).text('clients', 'delete', one.id, '--yes');
      const during = tokensIn(await issuing).map((answer) => answer.access_token);
      const statusOf = async (machine: MachineClient, token: string) =>
        onBoth(async (replica) => (await machine.at(replica).mcp(token)).status);
      for (const token of [before, ...during.slice(0, 3)]) {
        expect(await statusOf(one, token)).toEqual([401, 401]);
      }
      expect(await statusOf(other, await other.at(replicas[1]).token())).toEqual([200, 200]);
    });
  },
);
