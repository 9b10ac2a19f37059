import { userInfo } from 'node:os';
import { Admin } from '../support/admin.js';
import { Browser } from '../support/browser.js';
import { startGatehouse, useGatehouse } from '../support/gatehouse.js';

interface Issued {
  readonly id: string;
  readonly code: string;
  readonly uses: number;
  readonly expiresAt: string;
}

interface Page {
  readonly items: { readonly id: string }[];
  readonly next: string | null;
}

const DAY_MS = 24 * 60 * 60 * 1000;

describe('admin invites (contract: Administration)', () => {
  const gatehouse = useGatehouse(() => startGatehouse({ SIGN_UP: 'invite' }));
  let admin: Admin;

  const create = (...options: string[]) => admin.json<Issued>('invites', 'create', ...options);
  const list = () => admin.json<Page>('invites', 'list');
  const signUp = async (invite: string) => {
    const browser = new Browser(gatehouse);
    const offered = await browser.post('/svc/auth/register/options', {
      displayName: 'Ann',
      invite,
    });
    if (offered.status !== 200) return offered.status;
    const response = await browser.authenticator.create(offered.json(), gatehouse.origin);
    return (await browser.post('/svc/auth/register/verify', response)).status;
  };

  beforeAll(async () => {
    admin = new Admin(gatehouse);
  });

  it('makes one for one account and a week, and prints the code once', async () => {
    const before = Date.now();
    const issued = await create();
    expect(issued).toEqual({
      id: expect.stringMatching(/^[\w-]{22}$/),
      code: expect.stringMatching(/^([0-9A-Z]{4}-){4}[0-9A-Z]{4}$/),
      uses: 1,
      expiresAt: expect.any(String),
    });
    const lifetimeMs = Date.parse(issued.expiresAt) - before;
    expect(lifetimeMs).toBeGreaterThanOrEqual(7 * DAY_MS);
    expect(lifetimeMs).toBeLessThan(7 * DAY_MS + 60_000);
    expect(await signUp(issued.code)).toBe(200);
    expect(await signUp(issued.code)).toBe(403);
    const { items } = await list();
    expect(items[0]).toEqual({
      id: issued.id,
      uses: 1,
      usesLeft: 0,
      createdAt: expect.any(String),
      createdBy: userInfo().username,
      expiresAt: issued.expiresAt,
    });
    expect(await admin.text('invites', 'list')).not.toContain(issued.code);
  });

  it('makes one for several accounts, until a time', async () => {
    const until = new Date(Date.now() + 3 * DAY_MS).toISOString();
    const { code, uses, expiresAt } = await create('--uses', '2', '--expires', until);
    expect([uses, expiresAt]).toEqual([2, until]);
    expect([await signUp(code), await signUp(code), await signUp(code)]).toEqual([200, 200, 403]);
  });

  it('deletes one, and its code is worth nothing', async () => {
    const { id, code } = await create();
    const refused = await admin.run('invites', 'delete', id);
    expect([refused.code, refused.stderr]).toEqual([1, expect.stringContaining('--yes')]);
    expect(await admin.text('invites', 'delete', id, '--yes')).toBe(`Deleted: invite ${id}.\n`);
    expect(await signUp(code)).toBe(403);
    expect((await list()).items.map((item) => item.id)).not.toContain(id);
  });

  it('lists them newest first, a page at a time', async () => {
    const { id } = await create();
    const first = await admin.json<Page>('invites', 'list', '--limit', '1');
    expect(first).toMatchObject({ items: [{ id }], next: id });
    const next = await admin.json<Page>('invites', 'list', '--limit', '1', '--after', id);
    expect(next.items[0]?.id).not.toBe(id);
  });

  it('writes down who made and who deleted one, without the code', async () => {
    const { id, code } = await create();
    await admin.text('invites', 'delete', id, '--yes');
    for (const type of ['invite-created', 'invite-deleted']) {
      const { items } = await admin.json<Page>('audit', 'list', '--type', type);
      expect(items[0]).toMatchObject({ type, actor: userInfo().username, detail: `invite ${id}` });
      expect(JSON.stringify(items)).not.toContain(code);
    }
  });

  it.each([
    [['create', '--uses', '0'], '1 to 10000 accounts'],
    [['create', '--expires', '366d'], 'within 365 days'],
    [['create', '--expires', '2020-01-01'], 'in the future'],
    [['create', 'CODE'], 'too many arguments'],
    [['delete', 'no-such-id', '--yes'], 'there is no invite of that id'],
    [['list', '--after', 'no-such-id'], 'there is no row of that id'],
  ])('refuses %j, and changes nothing', async (args, reason) => {
    const before = await list();
    const { code, stdout, stderr } = await admin.run('invites', ...args);
    expect([code, stdout]).toEqual([1, '']);
    expect(stderr).toMatch(/^[^\n]+\n$/);
    expect(stderr).toContain(reason);
    expect(await list()).toEqual(before);
  });
});
