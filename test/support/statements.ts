import { Redis } from 'ioredis';
import { AbstractLogger, DataSource, type LogMessage } from 'typeorm';
import type { Gatehouse } from './gatehouse.js';

class StatementLog extends AbstractLogger {
  readonly statements: string[] = [];

  protected override writeLog(_level: unknown, message: LogMessage | LogMessage[]) {
    for (const entry of [message].flat()) {
      this.statements.push(String(entry.message).replaceAll(/\s+/g, ' ').trim());
    }
  }

  protected override isLogEnabledFor() {
    return true;
  }
}

/**
 * The SQL statements that a service sends during some work; without those of the audit trail, which is written later.
 */
export async function statementsIn(
  { app }: Pick<Gatehouse, 'app'>,
  work: () => Promise<unknown>,
): Promise<readonly string[]> {
  const log = new StatementLog(true);
  app.get(DataSource).logger = log;
  await work();
  return log.statements.filter((sql) => !sql.includes('audit_events'));
}

/** The Redis commands that a service sends during some work, without heartbeats. */
export async function redisCommandsIn(
  { app }: Pick<Gatehouse, 'app'>,
  work: () => Promise<unknown>,
): Promise<readonly string[]> {
  const redis = app.get(Redis, { strict: false });
  const commands: string[] = [];
  const send = redis.sendCommand;
  redis.sendCommand = function record(command, stream) {
    if (command.name !== 'ping') commands.push(command.name);
    return send.call(this, command, stream);
  };
  await work().finally(() => {
    redis.sendCommand = send;
  });
  return commands;
}
