/** What a ThrottlerStorage answers: the visits so far, and whether this one is over the limit. */
export function throttlerRecord(visits: number, remainingMs: number, limit: number) {
  const remainingSeconds = Math.ceil(remainingMs / 1000);
  return {
    totalHits: visits,
    timeToExpire: remainingSeconds,
    isBlocked: visits > limit,
    timeToBlockExpire: remainingSeconds,
  };
}
