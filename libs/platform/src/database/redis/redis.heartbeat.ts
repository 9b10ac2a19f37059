import type { Redis } from 'ioredis';

const BEAT_MS = 1_000;
const MISSED_BEATS = 2;

/**
 * Reconnects when Redis leaves two PINGs in a row unanswered. A peer may vanish silently, which TCP alone would
 * notice only after a quarter of an hour. Needs a client with a `commandTimeout`.
 */
export function keepHeartbeat(redis: Redis): void {
  let beating: NodeJS.Timeout | undefined;
  redis.on('ready', () => {
    clearInterval(beating);
    beating = beat(redis);
  });
  redis.on('close', () => clearInterval(beating));
}

function beat(redis: Redis) {
  let missed = 0;
  const ping = async () => {
    missed = (await isAnswered(redis.ping())) ? 0 : missed + 1;
    if (missed === MISSED_BEATS) redis.disconnect(true);
  };
  return setInterval(() => void ping(), BEAT_MS).unref();
}

/** An error reply is an answer too. */
const isAnswered = (ping: Promise<unknown>) =>
  ping.then(
    () => true,
    (error: unknown) => error instanceof Error && error.name === 'ReplyError',
  );
