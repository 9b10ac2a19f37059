import { userInfo } from 'node:os';
import { Admin } from '../support/admin.js';
import { Browser } from '../support/browser.js';
import { type Gatehouse, startGatehouse } from '../support/gatehouse.js';

interface User {
  readonly id: string;
  readonly displayName: string;
  readonly createdAt: string;
}

interface Page<T> {
  readonly items: T[];
  readonly next: string | null;
}

const ISO = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;

describe('admin users (contract: Administration)', () => {
  let gatehouse: Gatehouse;
  let admin: Admin;

  const signUp = async (displayName: string) => {
    const browser = new Browser(gatehouse);
    const answer = await browser.signUp(displayName);
    return { browser, ...answer.json<{ user: { id: string } }>().user };
  };

  beforeEach(async () => {
    gatehouse = await startGatehouse();
    admin = new Admin(gatehouse);
  });
  afterEach(() => gatehouse.stop());

  it('lists accounts, newest first, a page at a time', async () => {
    const ids = [];
    for (const name of ['Ann', 'Bob', 'Cid']) ids.unshift((await signUp(name)).id);
    const first = await admin.json<Page<User>>('users', 'list', '--limit', '2');
    expect(first.items.map(({ id }) => id)).toEqual(ids.slice(0, 2));
    expect(first.next).toBe(ids[1]);
    const args = ['users', 'list', '--limit', '2', '--after', ids[1] ?? ''];
    const second = await admin.json<Page<User>>(...args);
    expect(second).toEqual({
      items: [
        {
          id: ids[2],
          displayName: 'Ann',
          createdAt: expect.stringMatching(ISO),
          disabledAt: null,
        },
      ],
      next: null,
    });
    expect(await admin.text(...args)).toMatch(
      /^ID +DISPLAY NAME +CREATED AT +DISABLED AT\n\S{22} +Ann +\S+Z +-\n$/,
    );
  });

  it('finds them by a part of the name, which stands for itself, or by the id', async () => {
    const { id } = await signUp('Ann % of_it');
    await signUp('Bob');
    const found = async (search: string) =>
      (await admin.json<Page<User>>('users', 'list', '--search', search)).items.length;
    expect([await found('aNN'), await found('% OF_'), await found(id)]).toEqual([1, 1, 1]);
    expect([await found('o_b'), await found('%%'), await found('\\')]).toEqual([0, 0, 0]);
  });

  it('shows one, with its sessions', async () => {
    const { id, browser } = await signUp('Ann');
    const elsewhere = new Browser(gatehouse, browser.authenticator);
    await elsewhere.signIn();
    expect(await admin.json('users', 'show', id)).toEqual({
      id,
      displayName: 'Ann',
      createdAt: expect.stringMatching(ISO),
      disabledAt: null,
      sessions: 2,
      lastSeenAt: expect.stringMatching(ISO),
    });
    expect(await admin.text('users', 'show', id)).toMatch(/^SESSIONS +2$/m);
  });

  it('signs one out everywhere, and writes down who did it', async () => {
    const [ann, bob] = [await signUp('Ann'), await signUp('Bob')];
    const answer = await admin.text('users', 'sign-out', ann.id, '--yes');
    expect(answer).toBe('Signed out: 1 sessions ended.\n');
    expect((await ann.browser.me()).user).toBeNull();
    expect((await bob.browser.me()).user).not.toBeNull();

    const { items } = await admin.json<Page<object>>('audit', 'list', '--user', ann.id);
    expect(items[0]).toMatchObject({
      type: 'user-signed-out',
      user: ann.id,
      actor: userInfo().username,
      origin: null,
    });
    expect((await ann.browser.signIn()).status).toBe(200);
  });
});
