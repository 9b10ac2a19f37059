import { userInfo } from 'node:os';
import { jest } from '@jest/globals';
import { DataSource } from 'typeorm';
import { Admin, runAdminHere } from '../support/admin.js';
import { AdminApi, startAdministered } from '../support/admin-api.js';
import { Browser } from '../support/browser.js';
import type { Gatehouse } from '../support/gatehouse.js';

interface Page<T> {
  readonly items: T[];
}

const LINK = /^(\S+)\/svc\/account\/recover#([0-9A-Z]{32})\n$/;

describe('admin users recover (contract: Administration)', () => {
  let gatehouse: Gatehouse;
  let admin: Admin;
  let browser: Browser;
  let id: string;

  const recoverWith = (variables: Record<string, string>, ...more: string[]) =>
    runAdminHere(
      { ...gatehouse.storage.environment, ...variables },
      'users',
      'recover',
      id,
      ...more,
    );
  const codeIn = (stdout: string) => LINK.exec(stdout)?.[2] ?? '';
  const use = (code: string) => new Browser(gatehouse).post('/svc/recovery', { code });

  beforeAll(async () => {
    gatehouse = await startAdministered();
    admin = new Admin(gatehouse);
  });
  beforeEach(async () => {
    browser = new Browser(gatehouse);
    id = (await browser.signUp()).json<{ user: { id: string } }>().user.id;
  });
  afterAll(() => gatehouse.stop());

  it('prints a link that is good once, and ends every session when it is used', async () => {
    const printed = await admin.text('users', 'recover', id, '--origin', gatehouse.origin);
    const code = codeIn(printed);
    expect((await browser.me()).user).not.toBeNull();
    expect((await use(code)).status).toBe(200);
    expect((await browser.me()).user).toBeNull();
    expect((await use(code)).status).toBe(400);

    const args = ['audit', 'list', '--user', id, '--type', 'recovery-link-created', '--json'];
    const events = await admin.text(...args);
    const { items } = JSON.parse(events) as Page<object>;
    expect(items).toEqual([expect.objectContaining({ actor: userInfo().username })]);
    expect(events).not.toContain(code);
  });

  it('is told as JSON too; a newer one ends it', async () => {
    const older = await admin.json<object>('users', 'recover', id);
    expect(older).toEqual({ user: id, link: expect.stringMatching(LINK.source.slice(0, -3)) });
    const { stdout } = await recoverWith({});
    const { link = '' } = older as { link?: string };
    expect((await use(codeIn(`${link}\n`))).status).toBe(400);
    expect((await use(codeIn(stdout))).status).toBe(200);
  });

  it('leads to the origin that is named, the first public one, or localhost', async () => {
    const PUBLIC_ORIGINS = 'https://gate.example,https://other.example';
    for (const [variables, more, origin] of [
      [{ PUBLIC_ORIGINS }, ['--origin', 'https://other.example'], 'https://other.example'],
      [{ PUBLIC_ORIGINS }, [], 'https://gate.example'],
      [{}, [], 'http://localhost:3000'],
      [{ PORT: '4000' }, [], 'http://localhost:4000'],
    ] as const) {
      const { code, stdout } = await recoverWith(variables, ...more);
      expect([code, LINK.exec(stdout)?.[1]]).toEqual([0, origin]);
    }
  });

  it.each([
    'gate.example',
    'http://gate.example',
    'https://gate.example/',
    'https://gate.example/svc',
    'javascript:alert(1)',
    'https://user@gate.example',
    '',
  ])('refuses "%s" for an origin', async (origin) => {
    const answer = await recoverWith({}, '--origin', origin);
    expect(answer).toEqual({
      code: 1,
      stdout: '',
      stderr: '--origin takes an origin such as https://gate.example\n',
    });
  });

  it('refuses nobody, and an account that is disabled, whose older link stays', async () => {
    const nobody = await admin.run('users', 'recover', 'nobody');
    expect(nobody).toEqual({ code: 1, stdout: '', stderr: 'there is no user of that id\n' });
    const { stdout } = await recoverWith({});
    await admin.text('users', 'disable', id, '--yes');
    expect(await recoverWith({})).toEqual({
      code: 1,
      stdout: '',
      stderr: 'this account is disabled; enable it first\n',
    });
    await admin.text('users', 'enable', id);
    expect((await use(codeIn(stdout))).status).toBe(200);
  });
  it('refuses an account that is disabled while the link is being made', async () => {
    const database = gatehouse.app.get(DataSource);
    const transaction = database.transaction.bind(database) as (work: never) => Promise<unknown>;
    const spy = jest.spyOn(database, 'transaction').mockImplementationOnce(async (...work) => {
      await admin.text('users', 'disable', id, '--yes');
      return transaction(work[0] as never);
    });
    const answer = await new AdminApi(gatehouse).post(`users/${id}/recover`);
    spy.mockRestore();
    expect(answer.status).toBe(409);
    const made = database.query('SELECT COUNT(*) AS n FROM recovery_codes WHERE user_id = $1', [
      id,
    ]);
    expect(Number((await made)[0].n)).toBe(0);
  });
});
