import { HARD_MARGIN_MS } from '../runner/code-runner.js';

const MS_PER_CREDIT = 10;

/** Credits for code that ran: one per started 10 ms, at least one. */
export const codePrice = (runMs: number): number => Math.max(1, Math.ceil(runMs / MS_PER_CREDIT));

/** The maximum price of a run, which is reserved before it begins. */
export const highestPrice = (timeoutMs: number): number => codePrice(timeoutMs + HARD_MARGIN_MS);

/** The longest timeout that these credits cover; 0 when they cover none. */
export const affordableTimeoutMs = (credits: number): number =>
  Math.max(0, credits * MS_PER_CREDIT - HARD_MARGIN_MS);
