import { randomUUID } from 'node:crypto';
import { DataSource, IsNull } from 'typeorm';
import { hashSecret, type Session, UserEntity } from '#libs/accounts';
import { GrantEntity } from '../grant/grant.entity.js';
import { GrantStore } from '../grant/grant.store.js';
import { describeOAuthOnDatabases, ORIGIN } from '../testbed/oauth-database.testbed.js';
import { TokenEntity } from '../token/token.entity.js';
import {
  type AuthorizationRequest,
  ConsentEntity,
  ConsentStore,
  type NewGrant,
} from './consent.store.js';

const MOST = 100;

describeOAuthOnDatabases('open consent forms', (replicas) => {
  let dataSource: DataSource;
  let consents: ConsentStore;

  const request = { clientId: 'app', redirectUri: 'http://127.0.0.1/' } as AuthorizationRequest;
  const begin = async (session: Session) =>
    String(await consents.begin(session, ORIGIN, request, []));
  const isOpen = async (session: Session, handle: string) =>
    (await consents.find(session, ORIGIN, handle)) !== undefined;
  const count = ({ user }: Session) =>
    dataSource.manager.countBy(ConsentEntity, { userId: user.id });
  const signedIn = async (): Promise<Session> => {
    const user = { id: randomUUID(), displayName: 'Ann' };
    await dataSource.manager.insert(UserEntity, { ...user, createdAt: 0 });
    const times = { createdAt: 0, expiresAt: Date.now() + 60_000 };
    const began = { beganBy: 'recovery', credentialId: null } as const;
    return { id: '', tokenHash: hashSecret(user.id), user, ...began, ...times };
  };
  /** That was shown a second ago. */
  const beginEarlier = async (session: Session) => {
    const handle = await begin(session);
    const handleHash = hashSecret(handle);
    await dataSource.manager.decrement(ConsentEntity, { handleHash }, 'expiresAt', 1000);
    return handle;
  };

  beforeEach(() => {
    [dataSource] = replicas();
    consents = new ConsentStore(dataSource);
  });

  it('are the newest 100 of an account, whatever others have', async () => {
    const [ann, bob] = [await signedIn(), await signedIn()];
    const [oldest, others] = [await beginEarlier(ann), await begin(bob)];
    const handles: string[] = [];
    while (handles.length < MOST - 1) handles.push(await begin(ann));
    expect(await isOpen(ann, oldest)).toBe(true);
    handles.push(await begin(ann));
    expect([await isOpen(ann, oldest), await count(ann)]).toEqual([false, MOST]);
    for (const handle of handles) expect(await isOpen(ann, handle)).toBe(true);
    expect(await isOpen(bob, others)).toBe(true);
  });

  it('of which many begin at once: each has its handle, and the next one brings them down', async () => {
    const ann = await signedIn();
    const begun = await Promise.all(Array.from({ length: MOST + 60 }, () => begin(ann)));
    expect(new Set(begun).size).toBe(MOST + 60);
    const last = await begin(ann);
    expect([await isOpen(ann, last), await count(ann)]).toEqual([true, MOST]);
  });

  it('are left as they are where none begins', async () => {
    const ann = await signedIn();
    while ((await count(ann)) < MOST) await begin(ann);
    await dataSource.manager.update(UserEntity, { id: ann.user.id }, { disabledAt: 1 });
    expect(await consents.begin(ann, ORIGIN, request, [])).toBeUndefined();
    expect(await count(ann)).toBe(MOST);
  });
});

const HOUR = 60 * 60 * 1000;

describeOAuthOnDatabases('approvals of consents', (replicas) => {
  let dataSource: DataSource;
  let consents: ConsentStore;
  let session: Session;

  const grantOf = (published: string | null = null): NewGrant => ({
    id: randomUUID(),
    userId: session.user.id,
    clientId: published === null ? 'app' : `https://${published}/app`,
    origin: ORIGIN,
    resource: null,
    scope: 'account:read',
    permissions: null,
    app: 'App',
    redirectHost: null,
    clientHosts: '[]',
    published,
  });
  const form = async () => {
    const request = { clientId: 'app', redirectUri: 'http://127.0.0.1/' } as AuthorizationRequest;
    return String(await consents.begin(session, ORIGIN, request, []));
  };
  const forms = (count: number) => Promise.all(Array.from({ length: count }, form));
  const approve = async (handle: string, grant = grantOf()) => {
    const value = randomUUID();
    const times = { payload: {}, generation: 0, expiresAt: Date.now() + HOUR };
    const code = { kind: 'AuthorizationCode', value, grantId: grant.id, ...times } as const;
    return (await consents.approve(session, handle, grant, code)) ? grant : undefined;
  };
  /** Uses the code of a grant and ends what the grant replaces; returns their ids. */
  const exchanged = async (grant: NewGrant) => {
    const { id } = grant;
    await dataSource.manager.update(TokenEntity, { grantId: id }, { consumedAt: Date.now() });
    await dataSource.manager.update(GrantEntity, { id }, { familyHash: hashSecret(id) });
    return new GrantStore(dataSource).endSurplus(grant);
  };
  const active = async () => {
    const { id: userId } = session.user;
    const grants = await dataSource.manager.findBy(GrantEntity, { userId, revokedAt: IsNull() });
    return grants.map(({ id }) => id).toSorted();
  };
  /** An existing grant; times are relative to now. */
  const begun = async (
    createdMs: number,
    usedMs: number,
    published: string | null = null,
    clientId = grantOf(published).clientId,
  ) => {
    const grant = { ...grantOf(published), clientId };
    const now = Date.now();
    const times = { createdAt: now + createdMs, lastUsedAt: now + usedMs, expiresAt: now + HOUR };
    const familyHash = hashSecret(grant.id);
    await dataSource.manager.insert(GrantEntity, { ...grant, ...times, familyHash });
    return grant.id;
  };

  beforeEach(async () => {
    [dataSource] = replicas();
    consents = new ConsentStore(dataSource);
    const user = { id: randomUUID(), displayName: 'Ann' };
    const times = { createdAt: Date.now(), expiresAt: Date.now() + HOUR };
    const began = { beganBy: 'recovery', credentialId: null } as const;
    session = { id: '', tokenHash: hashSecret(user.id), user, ...began, ...times };
    await dataSource.manager.insert(UserEntity, { ...user, createdAt: 0 });
    await dataSource.query(
      `INSERT INTO sessions (token_hash, user_id, origin, created_at, last_seen_at, expires_at)
       VALUES ('${session.tokenHash}', '${user.id}', '${ORIGIN}', 0, 0, ${session.expiresAt})`,
    );
  });

  it('nothing is left of an account that goes beside them, whatever came first', async () => {
    const { id: userId } = session.user;
    const [first, second] = [await forms(4), await forms(4)];
    const all = await Promise.all([
      ...first.map((handle) => approve(handle)),
      dataSource.manager.delete(UserEntity, { id: userId }),
      ...second.map((handle) => approve(handle)),
    ]);
    expect(all).toHaveLength(9);
    expect(await dataSource.manager.countBy(GrantEntity, { userId })).toBe(0);
  });

  it('nothing begins for an account that was deleted after the form was shown, and no grant is replaced', async () => {
    const grant = await approve(await form());
    const handle = await form();
    await dataSource.manager.delete(UserEntity, { id: session.user.id });
    expect(await approve(handle)).toBeUndefined();
    expect(grant && (await exchanged(grant))).toEqual([]);
  });

  it('of 16 forms that are answered at once one grant stays, and each other is reported as replaced once', async () => {
    const handles = await forms(16);
    const replaced = await Promise.all(
      handles.map(async (handle) => {
        const grant = await approve(handle);
        return grant ? exchanged(grant) : ['none'];
      }),
    );
    expect(await active()).toHaveLength(1);
    expect(new Set(replaced.flat()).size).toBe(15);
    expect(replaced.flat()).toHaveLength(15);
  });

  it('each older grant that 16 calls end at once is reported once', async () => {
    const older = await Promise.all(Array.from({ length: 12 }, (_, n) => begun(-HOUR - n, -HOUR)));
    const grant = await approve(await form());
    if (!grant) throw new Error('not approved');
    const calls = Array.from({ length: 16 }, () => exchanged(grant));
    expect((await Promise.all(calls)).flat().toSorted()).toEqual(older.toSorted());
    expect(await active()).toEqual([grant.id]);
  });

  it('replaces a grant that another replica began by a clock that is ahead', async () => {
    const older = await begun(HOUR / 2, HOUR / 2);
    const grant = await approve(await form());
    expect(grant && (await exchanged(grant))).toEqual([older]);
    expect(await active()).toEqual([grant?.id]);
  });

  it('ends nothing for a grant whose code is not exchanged, nor such a grant', async () => {
    const older = await begun(-HOUR, -HOUR);
    const [first, second] = [await approve(await form()), await approve(await form())];
    if (!first || !second) throw new Error('not approved');
    expect(await active()).toEqual([older, first.id, second.id].toSorted());
    expect(await exchanged(first)).toEqual([older]);
    expect(await active()).toEqual([first.id, second.id].toSorted());
    expect(await exchanged(second)).toEqual([first.id]);
    expect(await active()).toEqual([second.id]);
  });

  it('of two, the one that is exchanged last stays, in whatever order they were approved', async () => {
    const [first, second] = [await approve(await form()), await approve(await form())];
    if (!first || !second) throw new Error('not approved');
    await exchanged(second);
    const earlier = { consumedAt: Date.now() - 1 };
    await dataSource.manager.update(TokenEntity, { grantId: second.id }, earlier);
    expect(await exchanged(first)).toEqual([second.id]);
    expect(await active()).toEqual([first.id]);
  });

  describe('of a user with 100 grants', () => {
    let used: string[];

    beforeEach(async () => {
      used = [];
      for (let n = 0; n < 100; n += 1) used.push(await begun(-HOUR, -n * 1000, null, `app-${n}`));
    });

    it('a new one ends the longest idle', async () => {
      const grant = await approve(await form());
      expect(grant && (await exchanged(grant))).toEqual([used[99]]);
      expect(await active()).toHaveLength(100);
    });

    it('a new one ends the longest idle of the app with the most', async () => {
      const [twoOfOther, three] = [{ app: 'Other' }, { app: 'Loop' }];
      const rename = (at: number, names: object) =>
        dataSource.manager.update(GrantEntity, { id: String(used[at]) }, names);
      for (const [at] of used.entries()) await rename(at, { app: `App ${at}` });
      for (const at of [1, 2, 3]) await rename(at, three);
      for (const at of [98, 99]) await rename(at, twoOfOther);
      await rename(97, { app: 'Loop', redirectHost: 'loop.example' });
      const grant = await approve(await form());
      expect(grant && (await exchanged(grant))).toEqual([used[3]]);
      const next = await approve(await form(), { ...grantOf(), clientId: 'next', app: 'Next' });
      expect(next && (await exchanged(next))).toEqual([used[99]]);
    });

    it('one that replaces another ends that one alone', async () => {
      const older = await begun(-HOUR, HOUR / 2);
      await dataSource.manager.delete(GrantEntity, { id: String(used[50]) });
      const grant = await approve(await form());
      expect(grant && (await exchanged(grant))).toEqual([older]);
      expect(await active()).toHaveLength(100);
    });

    it('of 8 that begin at once each stays, and 8 others end and are reported once each', async () => {
      const ended = await Promise.all(
        (await forms(8)).map(async (handle, n) => {
          const grant = await approve(handle, { ...grantOf(), clientId: `new-${n}` });
          return grant ? exchanged(grant) : ['none'];
        }),
      );
      expect(ended.flat().toSorted()).toEqual(used.slice(92).toSorted());
      expect(await active()).toHaveLength(100);
    });
  });
});
