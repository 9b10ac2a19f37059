import { type Command, Redis, type RedisOptions } from 'ioredis';
import { type SpanDescription, followInSpan } from '../../trace/trace.js';
import { type StatementListener, timed } from '../statement-listeners.js';

const listeners = new WeakMap<Redis, StatementListener>();

/** Reports the duration of each further command of this connection, and its error, to the listener. */
export function listenToCommands(redis: Redis, listener: StatementListener): void {
  listeners.set(redis, listener);
}

/**
 * A client whose `commandTimeout` measures Redis and not this process: after a stall of the event loop, timers run
 * before sockets are read, so ioredis alone would time out commands whose answers have arrived. Here the sockets
 * are read once more before a command times out.
 *
 * A user without the right to INFO is connected without ioredis' check whether Redis is still loading, which
 * commands report anyway; ioredis would print that refusal to the console.
 */
export class RedisClient extends Redis {
  override sendCommand(...[command, stream]: Parameters<Redis['sendCommand']>): unknown {
    command.setTimeout = (ms) => giveUpAfter(command, ms);
    if (command.name === 'info') doWithoutInfo(command);
    const answer = super.sendCommand(command, stream);
    followInSpan(() => redisSpan(command.name), command.promise);
    const listener = listeners.get(this);
    if (listener) timed(listener, () => command.promise).catch(() => {});
    return answer;
  }

  override duplicate(override: Partial<RedisOptions> = {}): Redis {
    return new RedisClient({ ...this.options, ...override });
  }
}

/** Contains only the name: keys and arguments may be secret. */
const redisSpan = (name: string): SpanDescription => ({
  name,
  kind: 'client',
  attributes: { 'db.system.name': 'redis', 'db.operation.name': name },
});

function giveUpAfter(command: Command, ms: number): void {
  const giveUp = () => {
    if (!command.isResolved) command.reject(new Error('Command timed out'));
  };
  // ioredis clears the timer of this name when the command is answered.
  Object.assign(command, { _commandTimeoutTimer: setTimeout(() => setImmediate(giveUp), ms) });
}

function doWithoutInfo(command: Command): void {
  const refuse = command.reject;
  command.reject = (error) => {
    if (error.message.startsWith('NOPERM')) command.resolve('loading:0');
    else refuse(error);
  };
}
