import { Injectable, Module } from '@nestjs/common';
import { generateKeyPair, exportJWK } from 'jose';
import { Administration, type BuiltIn, type Extension } from '#server';
import { ADMIN_TOKEN, AdminApi } from '../support/admin-api.js';
import { Admin } from '../support/admin.js';
import { Browser } from '../support/browser.js';
import { eventually } from '#libs/platform/testing';
import { useGatehouse } from '../support/gatehouse.js';
import { MachineClient, MACHINES } from '../support/machine-client.js';
import { startTeamApp } from './team-app.js';

const ACTOR = 'directory of Acme';
const IDP = 'https://idp.example';
const NO_ID = 'nobody-has-this-id';

/** A job of a team's. */
@Injectable()
class DirectoryJob {
  constructor(readonly administration: Administration) {}
}

@Module({})
class TeamModule {
  static forRoot({ administration }: BuiltIn) {
    return { module: TeamModule, imports: [administration], providers: [DirectoryJob] };
  }
}

const team: Extension = { gatehouse: 1, modules: (builtIn) => [TeamModule.forRoot(builtIn)] };

const ADMINISTERED = { MANAGEMENT_PORT: '0', ADMIN_TOKEN, ...MACHINES };

interface Event {
  readonly type: string;
  readonly actor: string | null;
}

describe('administration by a team (contract: Administration)', () => {
  const gatehouse = useGatehouse(() => startTeamApp(team, ADMINISTERED));
  let administration: Administration;
  let api: AdminApi;
  let browser: Browser;
  let id: string;
  let people = 0;

  const signUp = async () => {
    const person = new Browser(gatehouse);
    await person.signUp('Ann');
    return { person, id: (await person.me()).user?.id ?? '' };
  };
  const identity = () => ({ issuer: IDP, subject: `person-${++people}` });
  const eventsOf = async (filter: string) => {
    const { items } = await api.json<{ items: Event[] }>('GET', `audit?limit=1000&${filter}`);
    return items.filter(({ actor }) => actor !== null);
  };
  const expectEvents = (filter: string, types: readonly string[]) =>
    eventually(async () => {
      const expected = types.map((type) => expect.objectContaining({ type, actor: ACTOR }));
      expect((await eventsOf(filter)).toReversed()).toEqual(expected);
    });

  beforeAll(() => {
    ({ administration } = gatehouse.app.get(DirectoryJob, { strict: false }));
    api = new AdminApi(gatehouse);
  });
  beforeEach(async () => {
    ({ person: browser, id } = await signUp());
  });

  it('signs accounts out, disables and enables them, and the trail has the actor', async () => {
    expect(await administration.signOutUser(id, ACTOR)).toEqual({ id, endedSessions: 1 });
    expect((await browser.me()).user).toBeNull();
    await browser.signIn();
    const disabled = await administration.disableUser(id, ACTOR);
    expect(disabled).toMatchObject({ id, sessions: 0, disabledAt: expect.any(String) });
    expect(disabled).toEqual(await api.json('GET', `users/${id}`));
    expect((await browser.signIn()).status).toBe(403);
    expect(await administration.enableUser(id, ACTOR)).toMatchObject({ id, disabledAt: null });
    expect((await browser.signIn()).status).toBe(200);
    await expectEvents(`user=${id}`, ['user-signed-out', 'user-disabled', 'user-enabled']);
  });

  it('links identities and unlinks them', async () => {
    const someone = identity();
    const linked = await administration.linkUser(id, someone, ACTOR);
    expect(linked).toEqual({ user: id, ...someone, linked: true });
    const { items } = await api.json<{ items: object[] }>('GET', `users/${id}/identities`);
    expect(items).toEqual([expect.objectContaining(someone)]);
    const unlinked = await administration.unlinkUser(id, someone, ACTOR);
    expect(unlinked).toEqual({ user: id, ...someone, linked: false });
    await expectEvents(`user=${id}`, ['identity-linked', 'identity-unlinked']);
  });

  it('gives accounts budgets', async () => {
    expect(await administration.setBudget(id, 7, ACTOR)).toMatchObject({ user: id, limit: 7 });
    expect((await browser.me()).budget).toMatchObject({ limit: 7 });
    expect(await administration.setBudget(id, 'default', ACTOR)).toMatchObject({ ownLimit: null });
    expect(await administration.resetBudget(id, ACTOR)).toMatchObject({ user: id, used: 0 });
    await expectEvents(`user=${id}`, ['budget-set', 'budget-set', 'budget-reset']);
  });

  it('makes clients and machines, with budgets', async () => {
    const redirectUris = ['https://app.example/callback'];
    const made = await administration.createClient({ name: 'App', redirectUris }, ACTOR);
    expect(made).toEqual({ id: made.clientId, clientId: made.clientId, secret: null });
    const shown = { name: 'App', auth: 'none', redirectUris };
    expect(await api.json('GET', `clients/${made.id}`)).toMatchObject(shown);
    await expectEvents(`client=${made.id}`, ['client-created']);
    const undecided = { name: 'App', redirectUris, auth: undefined } as never;
    expect(await administration.createClient(undecided, ACTOR)).toMatchObject({ secret: null });

    const scopes = ['code:run'];
    const issued = await administration.createMachineClient({ name: 'Robot', scopes }, ACTOR);
    expect(await MachineClient.with(gatehouse, issued).token()).toMatch(/./);
    const machine = issued.id;
    expect(await administration.setMachineBudget(machine, 3, ACTOR)).toMatchObject({ limit: 3 });
    expect(await administration.resetMachineBudget(machine, ACTOR)).toMatchObject({ used: 0 });
    const types = ['client-created', 'budget-set', 'budget-reset'];
    await eventually(async () => expect(await eventsOf(`client=${machine}`)).toHaveLength(3));
    await expectEvents(`client=${machine}`, types);

    const { publicKey } = await generateKeyPair('ES256');
    const jwks = {
      keys: [{ ...(await exportJWK(publicKey)), alg: 'ES256', use: 'sig', kid: 'a' }],
    };
    const keyed = { name: 'Robot', scopes, jwks, auth: undefined } as never;
    expect(await administration.createMachineClient(keyed, ACTOR)).toMatchObject({ secret: null });
  });

  const given = (value: unknown) => value as never;
  const uris = ['https://app.example/callback'];
  type Refused = [string, string, string, object | undefined, () => Promise<unknown>];
  const refused = (): Refused[] => [
    [
      'an unknown account',
      'POST',
      `users/${NO_ID}/disable`,
      undefined,
      () => administration.disableUser(NO_ID, ACTOR),
    ],
    [
      'one to enable',
      'POST',
      `users/${NO_ID}/enable`,
      undefined,
      () => administration.enableUser(NO_ID, ACTOR),
    ],
    [
      'one to sign out',
      'POST',
      `users/${NO_ID}/sign-out`,
      undefined,
      () => administration.signOutUser(NO_ID, ACTOR),
    ],
    [
      'one with NUL',
      'POST',
      `users/${id}%00/disable`,
      undefined,
      () => administration.disableUser(`${id}\0`, ACTOR),
    ],
    [
      'an identity of an unknown account',
      'POST',
      `users/${NO_ID}/link`,
      identity(),
      () => administration.linkUser(NO_ID, identity(), ACTOR),
    ],
    [
      'no subject',
      'POST',
      `users/${id}/link`,
      { issuer: IDP },
      () => administration.linkUser(id, given({ issuer: IDP }), ACTOR),
    ],
    [
      'a control character',
      'POST',
      `users/${id}/link`,
      { issuer: IDP, subject: 'a\n' },
      () => administration.linkUser(id, { issuer: IDP, subject: 'a\n' }, ACTOR),
    ],
    [
      'a member too many',
      'POST',
      `users/${id}/link`,
      { ...identity(), admin: true },
      () => administration.linkUser(id, given({ ...identity(), admin: true }), ACTOR),
    ],
    ['a list', 'POST', `users/${id}/link`, [], () => administration.linkUser(id, given([]), ACTOR)],
    [
      'an identity that is not linked',
      'POST',
      `users/${id}/unlink`,
      identity(),
      () => administration.unlinkUser(id, identity(), ACTOR),
    ],
    [
      'no name',
      'POST',
      'clients',
      { redirectUris: uris },
      () => administration.createClient(given({ redirectUris: uris }), ACTOR),
    ],
    [
      'an unknown way to authenticate',
      'POST',
      'clients',
      { name: 'App', redirectUris: uris, auth: 'password' },
      () =>
        administration.createClient(
          given({ name: 'App', redirectUris: uris, auth: 'password' }),
          ACTOR,
        ),
    ],
    [
      'an address that no client may have',
      'POST',
      'clients',
      { name: 'App', redirectUris: ['javascript:alert(1)'] },
      () =>
        administration.createClient({ name: 'App', redirectUris: ['javascript:alert(1)'] }, ACTOR),
    ],
    [
      'an unknown scope',
      'POST',
      'machine-clients',
      { name: 'Robot', scopes: ['x'] },
      () => administration.createMachineClient({ name: 'Robot', scopes: ['x'] }, ACTOR),
    ],
    [
      'an unknown resource',
      'POST',
      'machine-clients',
      { name: 'Robot', scopes: ['code:run'], resource: 'https://else.example' },
      () =>
        administration.createMachineClient(
          { name: 'Robot', scopes: ['code:run'], resource: 'https://else.example' },
          ACTOR,
        ),
    ],
    [
      'too few credits',
      'PUT',
      `budgets/${id}`,
      { credits: -1 },
      () => administration.setBudget(id, -1, ACTOR),
    ],
    [
      'no number of credits',
      'PUT',
      `budgets/${id}`,
      { credits: null },
      () => administration.setBudget(id, Number.NaN, ACTOR),
    ],
    [
      'the budget of an unknown account',
      'PUT',
      `budgets/${NO_ID}`,
      { credits: 1 },
      () => administration.setBudget(NO_ID, 1, ACTOR),
    ],
    [
      'the reset of one',
      'POST',
      `budgets/${NO_ID}/reset`,
      undefined,
      () => administration.resetBudget(NO_ID, ACTOR),
    ],
    [
      'the budget of an unknown machine',
      'PUT',
      `clients/${NO_ID}/budget`,
      { credits: 1 },
      () => administration.setMachineBudget(NO_ID, 1, ACTOR),
    ],
    [
      'the reset of its budget',
      'POST',
      `clients/${NO_ID}/budget/reset`,
      undefined,
      () => administration.resetMachineBudget(NO_ID, ACTOR),
    ],
  ];

  it('refuses what /admin/ refuses, with its status and sentence, as an error', async () => {
    const cases = refused();
    for (const [what, method, path, body, call] of cases) {
      const answer = await api.send(method, path, body);
      const { status, message } = (await call().catch(
        (error: Error & { status: number }) => error,
      )) as {
        status: number;
        message: string;
      };
      expect([what, status, { error: message }]).toEqual([what, answer.status, answer.json()]);
      expect([400, 404]).toContain(status);
    }
    expect(await eventsOf(`user=${id}`)).toEqual([]);
  });

  it.each(['', ' ', ' a', 'a'.repeat(65), 'a\nb', 'a\u202e', undefined, null, {}, 1])(
    'refuses %p as an actor, and changes nothing',
    async (actor) => {
      const by = given(actor);
      const client = { name: 'App', redirectUris: uris };
      const calls = [
        administration.disableUser(id, by),
        administration.enableUser(id, by),
        administration.signOutUser(id, by),
        administration.linkUser(id, identity(), by),
        administration.unlinkUser(id, identity(), by),
        administration.createClient(client, by),
        administration.createMachineClient({ name: 'Robot', scopes: ['code:run'] }, by),
        administration.setBudget(id, 1, by),
        administration.resetBudget(id, by),
        administration.setMachineBudget(id, 1, by),
        administration.resetMachineBudget(id, by),
      ];
      const said = {
        name: 'RefusalError',
        status: 400,
        message: 'actor takes 1 to 64 visible characters',
      };
      for (const call of calls) await expect(call).rejects.toMatchObject(said);
      const { user, budget } = await browser.me();
      expect([user?.id, budget?.limit]).toEqual([id, 1000]);
      expect(await eventsOf(`user=${id}`)).toEqual([]);
    },
  );

  it.each([undefined, null, {}, ['x'], 1])(
    'takes %p for no id, and no account for it',
    async (no) => {
      const said = { name: 'RefusalError', status: 404, message: 'not found' };
      const calls = [
        administration.disableUser(given(no), ACTOR),
        administration.signOutUser(given(no), ACTOR),
        administration.linkUser(given(no), identity(), ACTOR),
        administration.setBudget(given(no), 1, ACTOR),
        administration.setMachineBudget(given(no), 1, ACTOR),
      ];
      for (const call of calls) await expect(call).rejects.toMatchObject(said);
      expect((await browser.me()).user?.id).toBe(id);
    },
  );

  it('links an identity once, however many calls there are at once, and unlinks it once', async () => {
    const someone = identity();
    const others = [await signUp(), await signUp()];
    const ids = [id, ...others.map((other) => other.id)];
    const links = Array.from({ length: 12 }, (_, n) =>
      n % 3 === 0
        ? api.post(`users/${ids[n % 2]}/link`, someone).then(({ status }) => status)
        : administration.linkUser(ids[n % 3] ?? '', someone, ACTOR).then(
            () => 200,
            ({ status }: { status: number }) => status,
          ),
    );
    const statuses = await Promise.all(links);
    expect(statuses.filter((status) => status !== 409)).toEqual([200]);
    const unlinks = ids.flatMap((each) =>
      Array.from({ length: 3 }, () => administration.unlinkUser(each, someone, ACTOR)),
    );
    const done = await Promise.allSettled(unlinks);
    expect(done.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
  });

  it('is there without a management port, and knows of no machine clients unless they are on', async () => {
    const own = await startTeamApp(team);
    const job = own.app.get(DirectoryJob, { strict: false });
    const person = new Browser(own);
    await person.signUp('Bob');
    const user = (await person.me()).user?.id ?? '';
    await job.administration.disableUser(user, ACTOR);
    expect((await person.me()).user).toBeNull();
    const machine = { name: 'Robot', scopes: ['code:run'] };
    const said = { status: 404, message: 'machine clients are off; set MACHINE_CLIENTS=on' };
    await expect(job.administration.createMachineClient(machine, ACTOR)).rejects.toMatchObject(
      said,
    );
    const { items } = await new Admin(own).json<{ items: Event[] }>(
      'audit',
      'list',
      '--user',
      user,
    );
    expect(items[0]).toMatchObject({ type: 'user-disabled', actor: ACTOR });
    await own.stop();
  });
});
