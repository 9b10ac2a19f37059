const NO_SENTINEL = /^All sentinels are unreachable(?:.*? Last error: (.*))?/;

/** What happened, where ioredis says so also when Sentinels answer and know no primary; undefined for anything else. */
export function sentinelFailure(message: string): string | undefined {
  const found = NO_SENTINEL.exec(message);
  return found ? `no Sentinel tells its address: ${found[1] ?? 'none knows that name'}` : undefined;
}
