import { type Command, Redis, type RedisOptions } from 'ioredis';
import { type SpanDescription, followInSpan } from '../../trace/trace.js';
import { type StatementListener, timed } from '../statement-listeners.js';

const listeners = new WeakMap<Redis, StatementListener>();

/** Has the listener hear how long each command of this connection takes from now on, and what it fails with. */
export function listenToCommands(redis: Redis, listener: StatementListener): void {
  listeners.set(redis, listener);
}

/**
 * A client whose `commandTimeout` is about Redis and not about this process: after a stall of the
 * event loop, timers run before sockets are read, so ioredis alone would give up commands whose
 * answers have come. Here the sockets are read once more before a command is given up.
 *
 * A user who may not ask INFO is connected without ioredis' check whether Redis is still loading, which
 * commands find out all the same; ioredis would tell the console about it.
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

/** Its name alone: keys and arguments may be what nobody else is to know. */
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
