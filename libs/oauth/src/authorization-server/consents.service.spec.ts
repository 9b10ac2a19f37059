import { randomUUID } from 'node:crypto';
import type { DataSource } from 'typeorm';
import { hashSecret, type Session, UserEntity } from '#libs/accounts';
import type { AuthorizationRequest } from '../consents/authorization-request.js';
import { ConsentEntity } from '../consents/consent.entity.js';
import { describeOnDatabases, ORIGIN } from '../testbed/grants-database.testbed.js';
import { ConsentsService } from './consents.service.js';

const MOST = 100;

describeOnDatabases('open consent forms', (open) => {
  let dataSource: DataSource;
  let consents: ConsentsService;

  const request = { clientId: 'app', redirectUri: 'http://127.0.0.1/' } as AuthorizationRequest;
  const begin = async (session: Session) => String(await consents.begin(session, ORIGIN, request));
  const isOpen = async (session: Session, handle: string) =>
    (await consents.find(session, ORIGIN, handle)) !== undefined;
  const count = ({ user }: Session) =>
    dataSource.manager.countBy(ConsentEntity, { userId: user.id });
  const signedIn = async (): Promise<Session> => {
    const user = { id: randomUUID(), displayName: 'Ann' };
    await dataSource.manager.insert(UserEntity, { ...user, createdAt: 0 });
    const times = { createdAt: 0, expiresAt: Date.now() + 60_000 };
    return { id: '', tokenHash: hashSecret(user.id), user, credentialId: null, ...times };
  };
  /** That was shown a second ago. */
  const beginEarlier = async (session: Session) => {
    const handle = await begin(session);
    const handleHash = hashSecret(handle);
    await dataSource.manager.decrement(ConsentEntity, { handleHash }, 'expiresAt', 1000);
    return handle;
  };

  beforeEach(() => {
    dataSource = open();
    consents = new ConsentsService(dataSource);
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
    expect(await consents.begin(ann, ORIGIN, request)).toBeUndefined();
    expect(await count(ann)).toBe(MOST);
  });
});
