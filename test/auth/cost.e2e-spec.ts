import { Redis } from 'ioredis';
import { AbstractLogger, DataSource, type LogMessage } from 'typeorm';
import { Browser } from '../support/browser.js';
import { type Gatehouse, startGatehouse } from '../support/gatehouse.js';

class StatementLog extends AbstractLogger {
  readonly statements: string[] = [];

  protected override writeLog(_level: unknown, message: LogMessage | LogMessage[]) {
    for (const entry of [message].flat()) this.statements.push(String(entry.message));
  }

  protected override isLogEnabledFor() {
    return true;
  }
}

describe('what requests cost', () => {
  let gatehouse: Gatehouse;
  let browser: Browser;

  /** The SQL statements that some work makes the service send. */
  const statementsOf = async (work: () => Promise<unknown>) => {
    const dataSource = gatehouse.app.get(DataSource);
    const log = new StatementLog(true);
    dataSource.logger = log;
    await work();
    return log.statements;
  };

  /** The Redis commands that some work makes the service send. */
  const commandsOf = async (work: () => Promise<unknown>) => {
    const url = gatehouse.storage.environment.REDIS_URL;
    if (url === undefined) return [];
    const observer = new Redis(url);
    const monitor = await observer.monitor();
    const commands: string[] = [];
    const done = new Promise<void>((resolve) => {
      monitor.on(
        'monitor',
        (_time: string, [name, ...args]: string[], source: string, db: string) => {
          if (db !== new URL(url).pathname.slice(1) || source === 'lua') return;
          if (name === 'echo' && args[0] === 'work is done') resolve();
          else commands.push(String(name).toLowerCase());
        },
      );
    });
    await work();
    await observer.echo('work is done');
    await done;
    monitor.disconnect();
    observer.disconnect();
    return commands;
  };

  beforeAll(async () => {
    gatehouse = await startGatehouse();
    browser = new Browser(gatehouse);
    await browser.signUp();
    await browser.me();
  });
  afterAll(() => gatehouse.stop());

  it('login/options is one write', async () => {
    const options = () => browser.requestOptions();
    expect(await statementsOf(options)).toEqual([]);
    const commands = await commandsOf(options);
    expect(commands).toEqual(globalThis.STORAGE === 'embedded' ? [] : ['evalsha', 'set']);
  });

  it('me is one SQL statement and one budget read', async () => {
    const [session, ...budget] = await statementsOf(() => browser.me());
    expect(session).toMatch(/^SELECT .* FROM "sessions"/);
    const commands = await commandsOf(() => browser.me());
    expect(budget.length + commands.length).toBe(1);
    if (globalThis.STORAGE === 'embedded') expect(budget[0]).toMatch(/FROM "?budgets"?/);
  });

  it('me costs nothing when signed out', async () => {
    const stranger = new Browser(gatehouse);
    expect(await statementsOf(() => stranger.me())).toEqual([]);
    expect(await commandsOf(() => stranger.me())).toEqual([]);
  });
});
