const NO_SENTINEL = /^All sentinels are unreachable(?:.*? Last error: (.*))?/;

/**
 * A description of the failure, since ioredis reports it in the same way when Sentinels answer but know no primary;
 * undefined for any other message.
 */
export function sentinelFailure(message: string): string | undefined {
  const found = NO_SENTINEL.exec(message);
  return found ? `no Sentinel tells its address: ${found[1] ?? 'none knows that name'}` : undefined;
}
