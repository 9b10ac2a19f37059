export type ApprovalKind = 'call' | 'permission';

export type ApprovalEnd = 'once' | 'always' | 'no' | 'expired';

/** Counts requests to people, each at the replica that ends it. This one counts nothing. */
export class ApprovalMeter {
  /** A request has ended, `waitedMs` after it was made. */
  ended(_kind: ApprovalKind, _decision: ApprovalEnd, _waitedMs: number): void {}
}
