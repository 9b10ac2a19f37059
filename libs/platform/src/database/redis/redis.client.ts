import { unescape } from 'node:querystring';
import { setTimeout as sleep } from 'node:timers/promises';
import { Logger } from '@nestjs/common';
import { type Command, Redis, type RedisOptions } from 'ioredis';
import { type SpanDescription, followInSpan } from '../../trace.js';
import { OutageLog } from '../../outage.js';
import { listenerOf, timed } from '../statement-listeners.js';

const NO_SENTINEL = /^All sentinels are unreachable(?:.*? Last error: (.*))?/;

/** Tells a failure of the Sentinels from one of Redis; undefined for any other message. */
export function sentinelFailure(message: string): string | undefined {
  const found = NO_SENTINEL.exec(message);
  return found ? `no Sentinel tells its address: ${found[1] ?? 'none knows that name'}` : undefined;
}

type SentinelOptions = RedisOptions &
  Required<Pick<RedisOptions, 'name'>> & {
    readonly sentinels: { readonly host: string; readonly port: number }[];
  };

const SENTINEL_URL =
  /^redis(?<tls>s?)\+sentinel:\/\/(?:(?<user>[^:@/?#]*)(?::(?<password>[^@/?#]*))?@)?(?<hosts>[^@/?#]+)\/(?<name>[\w.-]{1,255})(?:\/(?<db>\d{1,5}))?(?:\?(?<query>[^#]*))?$/;

const ADDRESS = /^(?:\[(?<ipv6>[0-9a-f:.]+)\]|(?<host>[a-z0-9._-]+))(?::(?<port>\d{1,5}))?$/i;
const SENTINEL_PORT = 26_379;
const IN_QUERY = new Set(['sentinel_username', 'sentinel_password']);

/**
 * Reads `redis+sentinel://<user>:<password>@<host>:<port>,<host>…/<name>/<database>`: the Sentinels, and the name
 * of the primary there; user and password are those of the primary. Those of the Sentinels are in
 * `?sentinel_username=…&sentinel_password=…`. `rediss+sentinel://` uses TLS for all. Undefined for anything else.
 */
export function parseSentinelUrl(url: string): SentinelOptions | undefined {
  const { tls, user, password, hosts, name, db, query } = SENTINEL_URL.exec(url)?.groups ?? {};
  if (hosts === undefined || name === undefined) return undefined;
  const sentinels = hosts.split(',').map(addressIn);
  const more = new URLSearchParams(query);
  if (!sentinels.every((address) => address !== undefined)) return undefined;
  if ([...more.keys()].some((key) => !IN_QUERY.has(key))) return undefined;
  return {
    sentinels,
    name,
    db: Number(db ?? 0),
    ...(user && { username: unescape(user) }),
    ...(password && { password: unescape(password) }),
    ...optional('sentinelUsername', more.get('sentinel_username')),
    ...optional('sentinelPassword', more.get('sentinel_password')),
    ...(tls && { tls: {}, sentinelTLS: {}, enableTLSForSentinelMode: true }),
  };
}

export function placeOf(url: string): string {
  const sentinel = parseSentinelUrl(url);
  if (!sentinel) return new URL(url).host;
  const addresses = sentinel.sentinels.map(({ host, port }) => `${host}:${port}`);
  return `${sentinel.name} (by Sentinel at ${addresses.join(', ')})`;
}

function addressIn(text: string) {
  const { ipv6, host = ipv6, port = SENTINEL_PORT } = ADDRESS.exec(text)?.groups ?? {};
  return host === undefined || Number(port) > 65_535 ? undefined : { host, port: Number(port) };
}

const optional = (name: string, value: string | null) => (value ? { [name]: value } : {});

export const REDIS_BEAT_MS = 1_000;
const MISSED_BEATS = 2;

/** Reconnects when nothing comes from Redis after two PINGs in a row: TCP alone notices a vanished peer after minutes. */
export class RedisHeartbeat {
  private missed = 0;

  constructor(private readonly redis: Redis) {
    redis.on('ready', () => (this.missed = 0));
  }

  /** Never rejects. */
  async beat(): Promise<void> {
    if (this.redis.status !== 'ready') return;
    this.missed = (await this.isHeard()) ? 0 : this.missed + 1;
    if (this.missed === MISSED_BEATS) this.redis.disconnect(true);
  }

  /** The answer is read after all messages that came before it, for which a busy process may take long. */
  private async isHeard(): Promise<boolean> {
    const { stream } = this.redis;
    const { bytesRead } = stream;
    return (await isAnswered(this.redis.ping())) || stream.bytesRead > bytesRead;
  }
}

/** An error reply is an answer too. */
const isAnswered = (ping: Promise<unknown>) =>
  ping.then(
    () => true,
    (error: unknown) => error instanceof Error && error.name === 'ReplyError',
  );

/** A command is answered or fails within a third of a second; ioredis would wait without a limit. */
export const FAIL_FAST: RedisOptions = {
  enableOfflineQueue: false,
  maxRetriesPerRequest: 0,
  autoResendUnfulfilledCommands: false,
  commandTimeout: 300,
  connectTimeout: 500,
  sentinelCommandTimeout: 500,
  disconnectTimeout: 100,
  retryStrategy: (times) => Math.min(times * 50, 1_000),
};

/** A second connection, to hear messages; `connect` opens it. Subscribe at each `ready`; give it a `RedisHeartbeat`. */
export function subscriberOf(redis: Redis, connectionName: string): Redis {
  const options = { ...FAIL_FAST, autoResubscribe: false, connectionName, lazyConnect: true };
  return redis.duplicate(options);
}

export interface RedisLocation {
  /** `redis://…` or `rediss://…`, or through Sentinels `redis+sentinel://…` or `rediss+sentinel://…` */
  readonly url: string;
  /** ioredis prepends it to every key; adapters prepend it to channels, and to keys that only their scripts build. */
  readonly keyPrefix?: string | undefined;
}

/** A client of that class. With Sentinels it asks them for the address before each connection. */
export function redisAt(
  { url, keyPrefix = '' }: RedisLocation,
  Client: typeof Redis,
  options: RedisOptions,
): Redis {
  const sentinels = parseSentinelUrl(url);
  return sentinels
    ? new Client({ ...sentinels, ...options, keyPrefix })
    : new Client(url, { ...options, keyPrefix });
}

/** Replies of a Redis that is no longer the right one, or full; older versions wrap those from inside a script. */
const REFUSED_BY_SERVER = /^(?:ERR Error running script .*: -?)?(READONLY|MASTERDOWN|OOM)\s/;
const FIRST_PAUSE_MS = 1_000;
const LONGEST_PAUSE_MS = 5_000;
/** Memory that is full stays so on a new connection, unless its name leads elsewhere by then. */
const LONGEST_PAUSE_WHEN_FULL_MS = 30_000;
const CALM_MS = 60_000;

/**
 * ioredis' `reconnectOnError`: after a fail-over an open connection may lead to the former primary. While Redis goes
 * on refusing, the pauses double up to 5 s, or 30 while it is full: each reconnect fails commands under way.
 */
export function reconnectWhenRefused(now = () => performance.now()): (error: Error) => boolean {
  let latest = -Infinity;
  let pauseMs = 0;
  return ({ message }) => {
    const code = REFUSED_BY_SERVER.exec(message)?.[1];
    const longest = code === 'OOM' ? LONGEST_PAUSE_WHEN_FULL_MS : LONGEST_PAUSE_MS;
    const at = now();
    const sinceMs = at - latest;
    if (code === undefined || sinceMs < Math.min(pauseMs, longest)) return false;
    pauseMs = sinceMs > CALM_MS ? FIRST_PAUSE_MS : Math.min(2 * pauseMs, longest);
    latest = at;
    return true;
  };
}

/** Opens the connection for commands; waits at most `waitMs`, after which the client goes on connecting by itself. */
export async function openRedis(location: RedisLocation, waitMs: number): Promise<Redis> {
  const reconnectOnError = reconnectWhenRefused();
  const options = { ...FAIL_FAST, reconnectOnError, connectionName: 'gatehouse' };
  const redis = redisAt(location, RedisClient, options);
  const logger = new Logger('Redis');
  const host = `Redis at ${placeOf(location.url)}`;
  logOutages(redis, host, logger);
  if (!(await isReadyWithin(redis, waitMs)))
    logger.warn(`${host} is not there: starting without it`);
  return redis;
}

export async function closeRedis(redis: Redis): Promise<void> {
  await redis.quit().catch(() => redis.disconnect());
}

/** Logs only messages: ioredis' errors may contain a password, their messages do not. */
function logOutages(redis: Redis, host: string, logger: Logger) {
  const outage = new OutageLog(logger);
  redis.on('error', ({ message, code }: NodeJS.ErrnoException) =>
    outage.begin(`${host} is out of service: ${(sentinelFailure(message) ?? message) || code}`),
  );
  redis.on('ready', () => outage.end(`${host} is back in service`));
}

function isReadyWithin(redis: Redis, waitMs: number): Promise<boolean> {
  const ready = new Promise<boolean>((resolve) => {
    redis.once('ready', () => resolve(true));
  });
  return Promise.race([ready, sleep(waitMs, false, { ref: false })]);
}

/**
 * A client whose `commandTimeout` measures Redis and not this process: after a stall, timers run before sockets are
 * read, so the sockets are read once more before a command times out. It does without ioredis' check whether Redis is
 * loading, which a user without the right to INFO fails on the console.
 */
export class RedisClient extends Redis {
  override sendCommand(...[command, stream]: Parameters<Redis['sendCommand']>): unknown {
    command.setTimeout = (ms) => giveUpAfter(command, ms);
    if (command.name === 'info') doWithoutInfo(command);
    const answer = super.sendCommand(command, stream);
    followInSpan(() => redisSpan(command.name), command.promise);
    const listener = listenerOf(this);
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
