/** One request of a load, from its start to its outcome. Times are in milliseconds. */
export interface Operation {
  readonly id: number;
  readonly name: string;
  /** What it spends, uses or revokes, where several operations are about one thing. */
  readonly item?: string | undefined;
  readonly effect: 'none' | 'spends' | 'uses' | 'revokes';
  readonly startedAt: number;
  readonly endedAt: number;
  /** The status of the answer, or what happened instead of one. */
  readonly outcome: number | string;
  readonly expected: boolean;
}

const isSuccess = ({ outcome }: Operation) => typeof outcome === 'number' && outcome < 400;

/** Operations that got no answer, or one that they should not have got. */
export const failures = (history: readonly Operation[]) =>
  history.filter(({ expected }) => !expected);

/** Things that can be spent once and were spent more often. */
export function doubleSpent(history: readonly Operation[]): string[] {
  const spent = new Map<string, number>();
  for (const operation of history) {
    if (operation.effect !== 'spends' || !isSuccess(operation)) continue;
    const item = operation.item ?? '';
    spent.set(item, (spent.get(item) ?? 0) + 1);
  }
  return [...spent].filter(([, times]) => times > 1).map(([item]) => item);
}

/** Successful uses that began after the end of what was used had been acknowledged. */
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
