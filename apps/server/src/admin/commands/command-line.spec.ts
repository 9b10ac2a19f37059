import { commandLine } from './command-line.js';
import { shieldIds } from './operation-command.js';
import type { Task, TaskContext } from './task.js';

const ID = '-e6J_v75TieMfjhhmx4NdQ';
const CLIENT_ID = '-LBqr_nOOe3VO4nLMgMNeFt3RlzAWynsJ5i2kgEO_6J';

/** The arguments with which the handlers of operations are called. */
async function callsOf(...args: string[]): Promise<unknown[][]> {
  const calls: unknown[][] = [];
  const record = async (...given: unknown[]) => {
    calls.push(given.filter((each) => typeof each !== 'function'));
    return { items: [], next: null, link: '' };
  };
  const controller = new Proxy({}, { get: () => record });
  const to = { get: () => controller, actor: 'root' } as unknown as TaskContext;
  const perform = async ({ run }: Task) => void (await run(to));
  await commandLine(perform, { print: async () => {}, variables: {} }).parseAsync(shieldIds(args), {
    from: 'user',
  });
  return calls;
}

describe('the command line', () => {
  it.each([
    ['users show', [ID, 'root']],
    ['users sign-out', [ID, 'root']],
    ['users disable', [ID, 'root']],
    ['users enable', [ID, 'root']],
    ['users delete', [ID, 'root']],
    ['users recover', [ID, {}, 'root']],
    ['clients show', [ID, 'root']],
    ['clients delete', [ID, 'root']],
    ['clients rotate-secret', [ID, 'root']],
    ['apps show', [ID, 'root']],
    ['apps set', [ID, {}, 'root']],
    ['apps revoke', [ID, 'root']],
    ['invites delete', [ID, 'root']],
    ['budget show', [ID, 'root']],
    ['budget reset', [ID, 'root']],
  ])('%s takes an id that begins with a dash', async (command, expected) => {
    expect(await callsOf(...command.split(' '), ID)).toEqual([expected]);
    expect(await callsOf(...command.split(' '), ID, '--yes', '--json')).toEqual([expected]);
    expect(await callsOf(...command.split(' '), '--', ID)).toEqual([expected]);
  });

  it.each(['show', 'delete', 'rotate-secret', 'block', 'unblock'])(
    'clients %s takes the longer id of a client',
    async (command) => {
      const [[id] = []] = await callsOf('clients', command, CLIENT_ID, '--yes');
      expect(id).toBe(CLIENT_ID);
    },
  );

  it('options take such an id too', async () => {
    const set = [[ID, { credits: 5 }, 'root']];
    expect(await callsOf('budget', 'set', ID, '5')).toEqual(set);
    expect(await callsOf('budget', 'set', '5', '--client', ID)).toEqual(set);
    const [[page] = []] = await callsOf('users', 'list', '--search', ID, '--after', ID);
    expect(page).toMatchObject({ search: ID, after: ID });
    const [[apps] = []] = await callsOf('apps', 'list', '--user', ID);
    expect(apps).toMatchObject({ user: ID });
    const [[events] = []] = await callsOf('audit', 'list', '--user', ID);
    expect(events).toMatchObject({ user: ID });
  });

  it('an unknown command is answered with the list of commands', async () => {
    await expect(callsOf('nonsense')).rejects.toThrow(
      "unknown command 'nonsense'; the commands are users, clients, invites, apps, budget, audit, usage, events, keys",
    );
    await expect(callsOf('budget', 'nonsense')).rejects.toThrow('; the commands are show, set');
  });

  it('a wrong option is still one', async () => {
    await expect(callsOf('users', 'list', '-x')).rejects.toThrow('unknown option');
    await expect(callsOf('users', 'list', '--limits=2')).rejects.toThrow('unknown option');
  });
});
