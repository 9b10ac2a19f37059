import { userInfo } from 'node:os';
import { AdminApi, startAdministered } from '../support/admin-api.js';
import { Admin, runAdminHere } from '../support/admin.js';
import { Browser } from '../support/browser.js';
import { useGatehouse } from '../support/gatehouse.js';
import { typesOf } from '../account/own-account.js';

interface Page<T> {
  readonly items: T[];
}

const LINK = /^(\S+)\/svc\/account\/recover#([0-9A-Z]{32})\n$/;

describe('admin users recover (contract: Administration)', () => {
  const gatehouse = useGatehouse();
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
  const codesOf = async (person: Browser) =>
    (await person.post('/svc/me/recovery-codes')).json<{ codes: string[] }>().codes;

  beforeAll(async () => {
    admin = new Admin(gatehouse);
  });
  beforeEach(async () => {
    browser = new Browser(gatehouse);
    id = (await browser.signUp()).json<{ user: { id: string } }>().user.id;
  });

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

  it('a recovery link is printed as JSON too; a newer one ends it', async () => {
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

  it('works on the origin that it leads to alone, on any where that is a guess', async () => {
    const elsewhere = new Browser({ ...gatehouse, origin: `http://127.0.0.1:${gatehouse.port}` });
    const useElsewhere = async (code: string) =>
      (await elsewhere.post('/svc/recovery', { code })).status;
    const PUBLIC_ORIGINS = 'https://gate.example';
    expect((await use(codeIn((await recoverWith({ PUBLIC_ORIGINS })).stdout))).status).toBe(400);
    const named = await recoverWith({}, '--origin', gatehouse.origin);
    expect(await useElsewhere(codeIn(named.stdout))).toBe(400);
    expect(await useElsewhere(codeIn((await recoverWith({})).stdout))).toBe(200);
  });

  it.each(['gate.example', 'http://gate.example', 'https://gate.example/', ''])(
    'refuses "%s" for an origin',
    async (origin) => {
      const answer = await recoverWith({}, '--origin', origin);
      expect(answer).toEqual({
        code: 1,
        stdout: '',
        stderr: '--origin takes an origin such as https://gate.example\n',
      });
    },
  );

  it('refuses an origin that is not one of PUBLIC_ORIGINS', async () => {
    const PUBLIC_ORIGINS = 'https://gate.example,https://other.example';
    for (const origin of ['https://gate.example.evil.example', 'http://localhost:3000']) {
      expect(await recoverWith({ PUBLIC_ORIGINS }, '--origin', origin)).toEqual({
        code: 1,
        stdout: '',
        stderr: `origin takes one of PUBLIC_ORIGINS: ${PUBLIC_ORIGINS.replace(',', ', ')}\n`,
      });
    }
    const replica = await startAdministered({ PUBLIC_ORIGINS }, gatehouse);
    const origin = 'https://gate.example.evil.example';
    const answer = await new AdminApi(replica).post(`users/${id}/recover`, { origin });
    await replica.stop();
    expect([answer.status, answer.json()]).toEqual([
      400,
      { error: expect.stringMatching(/^origin takes one of PUBLIC_ORIGINS: /) },
    ]);
    expect(await typesOf(gatehouse, id)).not.toContain('recovery-link-created');
  });

  it('refuses an unknown account, and one that is disabled', async () => {
    const unknown = await admin.run('users', 'recover', 'no-such-id');
    expect(unknown).toEqual({ code: 1, stdout: '', stderr: 'there is no user of that id\n' });
    await admin.text('users', 'disable', id, '--yes');
    expect(await recoverWith({})).toEqual({
      code: 1,
      stdout: '',
      stderr: 'this account is disabled; enable it first\n',
    });
    expect(await typesOf(gatehouse, id)).not.toContain('recovery-link-created');
  });

  describe('a link', () => {
    let code: string;

    beforeEach(async () => {
      code = codeIn(await admin.text('users', 'recover', id));
    });

    const statusOfUse = async () => (await use(code)).status;

    it('ends when its account is disabled, and enabling does not bring it back', async () => {
      await admin.text('users', 'disable', id, '--yes');
      expect(await statusOfUse()).toBe(400);
      await admin.text('users', 'enable', id);
      expect(await statusOfUse()).toBe(400);
    });

    it('ends when its owner signs in with a passkey', async () => {
      expect((await new Browser(gatehouse, browser.authenticator).signIn()).status).toBe(200);
      expect(await statusOfUse()).toBe(400);
    });

    it('ends when its owner makes recovery codes, which are good', async () => {
      const [own = ''] = await codesOf(browser);
      expect(await statusOfUse()).toBe(400);
      expect((await use(own)).status).toBe(200);
    });

    it('stays when a sign-in fails, another account signs in, or its owner adds a passkey', async () => {
      const impostor = new Browser(gatehouse, browser.authenticator);
      const failed = await impostor.signIn({ overrides: { origin: 'https://evil.example' } });
      expect(failed.status).toBe(400);
      const bob = new Browser(gatehouse);
      await bob.signUp('Bob');
      await bob.signIn();
      await codesOf(bob);
      const phone = new Browser(gatehouse);
      phone.cookie = browser.cookie;
      expect((await phone.addPasskey()).status).toBe(200);
      expect(await statusOfUse()).toBe(200);
    });

    it('ends by --revoke, which tells whether there was one, and leaves other codes alone', async () => {
      const [own = ''] = await codesOf(browser);
      code = codeIn(await admin.text('users', 'recover', id));
      const revoke = () => admin.text('users', 'recover', id, '--revoke');
      expect(await revoke()).toBe(`Revoked: the recovery link of ${id}.\n`);
      expect(await statusOfUse()).toBe(400);
      expect(await revoke()).toBe(`There is no recovery link of ${id}.\n`);
      const again = await admin.json<object>('users', 'recover', id, '--revoke');
      expect(again).toEqual({ user: id, revoked: false });
      const types = await typesOf(gatehouse, id);
      expect(types.filter((type) => type === 'recovery-link-revoked')).toHaveLength(1);
      expect((await use(own)).status).toBe(200);
    });

    it.each([
      [['no-such-id', '--revoke'], 'there is no user of that id'],
      [
        ['no-such-id', '--revoke', '--origin', 'https://gate.example'],
        "option '--revoke' cannot be used with option '--origin <origin>'",
      ],
    ])('is not ended by %j', async (args, stderr) => {
      const answer = await admin.run('users', 'recover', ...args);
      expect(answer).toEqual({ code: 1, stdout: '', stderr: `${stderr}\n` });
      expect(await statusOfUse()).toBe(200);
    });

    it('that is made at the moment when its account is disabled is never good', async () => {
      for (let round = 0; round < 4; round += 1) {
        const [made] = await Promise.all([
          recoverWith({}),
          admin.run('users', 'disable', id, '--yes'),
        ]);
        await admin.text('users', 'enable', id);
        expect(await statusOfUse()).toBe(400);
        if (made.code === 0) expect((await use(codeIn(made.stdout))).status).toBe(400);
      }
    });

    it('and a sign-in at once leave either of them, and never a link that is good', async () => {
      const phones = Array.from({ length: 4 }, () => new Browser(gatehouse, browser.authenticator));
      const [used] = await Promise.all([use(code), ...phones.map((phone) => phone.signIn())]);
      expect([200, 400]).toContain(used.status);
      expect(await statusOfUse()).toBe(400);
    });
  });
});
