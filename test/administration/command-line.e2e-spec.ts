import { existsSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { userInfo } from 'node:os';
import { Admin, type AdminAnswer, runAdminHere } from '../support/admin.js';
import { Browser } from '../support/browser.js';
import { useGatehouse } from '../support/gatehouse.js';
import { sqliteForTests, storageForTests } from '../support/services/storage-for-tests.js';

const ONE_LINE = /^[^\n]+\n$/;

/** One line on stderr, nothing on stdout, exit code 1. */
function expectRefused({ code, stdout, stderr }: AdminAnswer, reason: string | RegExp) {
  expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
  expect(stderr).toMatch(ONE_LINE);
  expect(stderr).toMatch(reason);
}

describe('the command line of administration (contract: Administration)', () => {
  const gatehouse = useGatehouse();
  let admin: Admin;
  let browser: Browser;
  let id: string;

  beforeAll(async () => {
    admin = new Admin(gatehouse);
    browser = new Browser(gatehouse);
    id = (await browser.signUp()).json<{ user: { id: string } }>().user.id;
  });

  it.each([
    ['nothing', [], 'say what to do'],
    ['half of it', ['users'], 'say what to do'],
    ['an unknown command', ['users', 'frobnicate', 'x'], 'unknown command'],
    ['an unknown option', ['users', 'list', '--limits', '2'], 'unknown option'],
    ['an actor without a name', ['users', 'sign-out', 'x', '--actor', ' '], '--actor takes'],
    ['an invisible actor', ['users', 'sign-out', 'x', '--actor', 'a\u200Bb'], '--actor takes'],
    ['a bad limit', ['users', 'list', '--limit', '0'], '--limit takes'],
    ['a bad time', ['audit', 'list', '--since', 'then'], '--since takes'],
    ['a bad end', ['audit', 'list', '--until', 'then'], '--until takes'],
    ['an unknown type', ['audit', 'list', '--type', 'sign-out-of'], '--type takes'],
    [
      'the trail of an unknown user',
      ['audit', 'list', '--user', 'no-such-id'],
      'there is no user of that id',
    ],
    [
      'to follow an unknown user',
      ['audit', 'list', '--follow', '--user', 'no-such-id'],
      'there is no user',
    ],
    ['a bad type', ['audit', 'list', '--type', 'Sign in'], '--type takes'],
    ['no id', ['users', 'show'], 'missing required argument'],
    ['an id too much', ['users', 'show', 'a', 'b'], 'too many arguments'],
    ['an unknown id', ['users', 'show', 'no-such-id'], 'there is no user of that id'],
    ['an unknown id to change', ['users', 'sign-out', 'no-such-id', '--yes'], 'there is no user'],
    ['an unknown page', ['users', 'list', '--after', 'no-such-id'], 'there is no row of that id'],
  ])('refuses %s', async (_what, args, reason) => {
    expectRefused(await admin.run(...args), reason);
  });

  it('the actor is the one that is named, else who became another user, else the user', async () => {
    const asAnn = { ...gatehouse.storage.environment, SUDO_USER: 'ann' };
    const signOut = ['users', 'sign-out', id, '--yes'];
    await admin.text(...signOut);
    expect(await runAdminHere(asAnn, ...signOut)).toMatchObject({ code: 0 });
    const named = await runAdminHere(asAnn, ...signOut, '--actor', 'Bob of ops');
    expect(named).toMatchObject({ code: 0 });
    const list = ['audit', 'list', '--user', id, '--type', 'user-signed-out'];
    const { items } = await admin.json<{ items: { actor: string }[] }>(...list);
    expect(items.map(({ actor }) => actor)).toEqual(['Bob of ops', 'ann', userInfo().username]);
    await browser.signIn();
  });

  it('changes nothing without --yes where no question can be asked', async () => {
    expectRefused(await admin.run('users', 'sign-out', id), '--yes');
    expect((await browser.me()).user).not.toBeNull();
  });

  it('refuses a database that is not migrated, and leaves it as it is', async () => {
    const { environment, dispose } = await storageForTests();
    expectRefused(await runAdminHere(environment, 'users', 'list'), 'start the service on it once');
    await dispose();

    const { path, url, dispose: remove } = await sqliteForTests();
    const variables = { DATABASE_URL: url };
    expectRefused(await runAdminHere(variables, 'users', 'list'), 'start the service on it once');
    expect(existsSync(path)).toBe(false);
    await writeFile(path, 'not a database');
    expectRefused(await runAdminHere(variables, 'users', 'list'), 'SQLITE_NOTADB');
    await remove();
  });

  it('says what of the configuration is wrong', async () => {
    const answer = await runAdminHere({ DATABASE_URL: 'mysql://localhost/x' }, 'users', 'list');
    expectRefused(answer, /^DATABASE_URL takes /);
  });

  it('explains itself', async () => {
    const { code, stdout, stderr } = await admin.run('users', '--help');
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(stdout).toContain('sign-out [options] <id>');
  });
});
