import { type Finding, ok, warn } from '../finding.js';

const TOLERANCE_MS = 2_000;

/** A reading of somebody else's clock, and when it was asked for and answered by ours; all epoch milliseconds. */
export interface ClockReading {
  readonly theirs: number;
  readonly asked: number;
  readonly answered: number;
}

/** Compares with the middle of the question's way; what the way took may be off either side. */
export function clockFinding(who: string, { theirs, asked, answered }: ClockReading): Finding {
  const differenceMs = theirs - (asked + answered) / 2;
  const surelyMs = Math.abs(differenceMs) - (answered - asked) / 2;
  if (surelyMs <= TOLERANCE_MS) return ok(`the clock of ${who} agrees with this machine's`);
  const seconds = (Math.abs(differenceMs) / 1000).toFixed(1);
  const side = differenceMs > 0 ? 'ahead of' : 'behind';
  return warn(
    `the clock of ${who} is ${seconds} s ${side} this machine's`,
    'run NTP on both: sessions, codes and budgets end by the clock',
  );
}
