import { type Finding, ok, warn } from '../finding.js';

const TOLERANCE_MS = 2_000;

/** Another machine's clock, with our times of the question and the answer; all epoch milliseconds. */
export interface ClockReading {
  readonly theirs: number;
  readonly asked: number;
  readonly answered: number;
}

/** Compares that clock with the middle of the round trip; half the round trip is the error on either side. */
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
