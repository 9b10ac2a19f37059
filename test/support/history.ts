/** One request of a load test, from start to outcome. Times are in milliseconds. */
export interface Operation {
  readonly id: number;
  readonly name: string;
  /** What the request spends, uses or revokes, where several operations concern the same item. */
  readonly item?: string | undefined;
  readonly effect: 'none' | 'spends' | 'uses' | 'revokes';
  readonly startedAt: number;
  readonly endedAt: number;
  /** The status of the answer, or a description of the failure. */
  readonly outcome: number | string;
  readonly expected: boolean;
}

const isSuccess = ({ outcome }: Operation) => typeof outcome === 'number' && outcome < 400;

/** Operations without an answer, or with an unexpected one. */
export const failures = (history: readonly Operation[]) =>
  history.filter(({ expected }) => !expected);

/** Items that can be spent once but were spent more often. */
export function doubleSpent(history: readonly Operation[]): string[] {
  const spent = new Map<string, number>();
  for (const operation of history) {
    if (operation.effect !== 'spends' || !isSuccess(operation)) continue;
    const item = operation.item ?? '';
    spent.set(item, (spent.get(item) ?? 0) + 1);
  }
  return [...spent].filter(([, times]) => times > 1).map(([item]) => item);
}

/** Successful uses that began after the item's revocation was acknowledged. */
export function usedAfterRevoked(history: readonly Operation[]): Operation[] {
  const revokedAt = new Map<string, number>();
  for (const operation of history) {
    if (operation.effect !== 'revokes' || !isSuccess(operation)) continue;
    revokedAt.set(operation.item ?? '', operation.endedAt);
  }
  return history.filter(
    (operation) =>
      operation.effect === 'uses' &&
      isSuccess(operation) &&
      operation.startedAt > (revokedAt.get(operation.item ?? '') ?? Number.POSITIVE_INFINITY),
  );
}
