import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { promisify } from 'node:util';
import { exitCodeOf, runAdminProcess, spawnAdmin } from '../support/admin-process.js';
import { Browser } from '../support/browser.js';
import { builtFile } from '../support/built-file.js';
import { useGatehouse } from '../support/gatehouse.js';

const FOLLOW = ['audit', 'list', '--follow', '--json', '--limit', '1'];

describe('the process of the command line (contract: Administration)', () => {
  const gatehouse = useGatehouse();
  let browser: Browser;
  let id: string;

  const environment = () => gatehouse.storage.environment;

  beforeAll(async () => {
    browser = new Browser(gatehouse);
    id = (await browser.signUp()).json<{ user: { id: string } }>().user.id;
  });

  it('prints on stdout and ends with 0, or on stderr and ends with 1', async () => {
    const show = (...args: string[]) => runAdminProcess(environment(), 'users', 'show', ...args);
    const [shown, refused] = await Promise.all([show(id, '--json'), show('no-such-id')]);
    expect({ ...shown, stdout: '' }).toEqual({ code: 0, stdout: '', stderr: '' });
    expect(JSON.parse(shown.stdout)).toMatchObject({ id });
    expect(refused).toEqual({
      code: 1,
      stdout: '',
      stderr: 'there is no user of that id\n',
    });
  });

  it.each([
    ['', false],
    ['y', true],
  ])('asks on a terminal, and "%s" decides', async (answer, isSignedOut) => {
    await browser.signIn();
    const main = builtFile('main.js');
    const command = `echo '${answer}' | script --quiet --return --command '${process.execPath} ${main} admin users sign-out ${id}' /dev/null`;
    const env = { PATH: process.env['PATH'], ...environment() };
    const shell = await promisify(execFile)('sh', ['-c', command], { env }).catch((e) => e);
    expect(shell.stdout).toContain(`Sign Ann (${id}) out everywhere? [y/N]`);
    expect((await browser.me()).user === null).toBe(isSignedOut);
  });

  it.each(['SIGINT', 'SIGTERM'] as const)(
    '%s ends what follows the trail, cleanly',
    async (signal) => {
      const child = spawnAdmin(environment(), ...FOLLOW);
      const ended = exitCodeOf(child);
      let stderr = '';
      child.stderr.on('data', (data) => (stderr += String(data)));
      await once(createInterface(child.stdout), 'line');
      child.kill(signal);
      expect([await ended, stderr]).toEqual([0, '']);
    },
  );

  it('ends cleanly when its output is closed', async () => {
    const child = spawnAdmin(environment(), ...FOLLOW);
    const ended = exitCodeOf(child);
    let stderr = '';
    child.stderr.on('data', (data) => (stderr += String(data)));
    await once(createInterface(child.stdout), 'line');
    child.stdout.destroy();
    await new Browser(gatehouse).signUp('Bob');
    expect([await ended, stderr]).toEqual([0, '']);
  });
});
