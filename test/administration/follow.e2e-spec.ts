import { Admin, followHere, runAdminHere } from '../support/admin.js';
import { Browser } from '../support/browser.js';
import { eventually } from '#libs/platform/testing';
import { startGatehouse, useGatehouse } from '../support/gatehouse.js';

interface Event {
  readonly id: string;
  readonly type: string;
}

describe('admin audit list --follow (contract: Administration)', () => {
  const gatehouse = useGatehouse();
  const replica = useGatehouse(() => startGatehouse({}, gatehouse));
  let lines: string[];
  let stop: AbortController;
  let ended: Promise<0 | 1>;

  function follow(...more: string[]) {
    [lines, stop] = [[], new AbortController()];
    const args = ['audit', 'list', '--follow', ...more];
    ended = followHere(gatehouse.storage.environment, args, stop.signal, (line) => {
      lines.push(line);
    });
  }

  const events = () => lines.map((line) => JSON.parse(line) as Event);
  const seen = (count: number) => eventually(() => expect(lines).toHaveLength(count));
  const end = async () => {
    stop.abort();
    expect(await ended).toBe(0);
  };

  it('shows what there is, the newest last, then every row of every replica once', async () => {
    const browser = new Browser(gatehouse);
    await browser.signUp();
    const user = (await browser.me()).user?.id ?? '';
    await browser.signIn();
    await eventually(async () => {
      const listed = await new Admin(gatehouse).json<{ items: Event[] }>(
        'audit',
        'list',
        '--user',
        user,
      );
      expect(listed.items).toHaveLength(2);
    });
    follow('--json', '--type', 'sign-in');
    await seen(1);

    const browsers = Array.from({ length: 20 }, (_, n) =>
      new Browser(gatehouse, browser.authenticator).at(n % 2 === 0 ? gatehouse : replica),
    );
    await Promise.all(browsers.map((one) => one.signIn()));
    await seen(21);
    await browser.signIn();
    await seen(22);
    await end();
    expect(new Set(events().map(({ id }) => id)).size).toBe(22);
    expect(new Set(events().map(({ type }) => type))).toEqual(new Set(['sign-in']));
  });

  it('prints a line each, below a heading, for people', async () => {
    const browser = new Browser(gatehouse);
    await browser.signUp();
    const user = (await browser.me()).user?.id ?? '';
    follow('--user', user);
    await seen(2);
    await end();
    expect(lines[0]).toMatch(/^AT +TYPE +USER +CLIENT +ACTOR +DETAIL +COUNT\n$/);
    expect(lines[1]).toMatch(new RegExp(`^\\S+Z  sign-up +${user}  -[^\\n]+1\\n$`));
  });

  it('takes no --after: it goes on by itself', async () => {
    const args = ['audit', 'list', '--follow', '--after', 'x'];
    expect(await runAdminHere(gatehouse.storage.environment, ...args)).toEqual({
      code: 1,
      stdout: '',
      stderr: '--follow goes on by itself and takes no --after\n',
    });
  });
});
