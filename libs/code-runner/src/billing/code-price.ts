import { HARD_MARGIN_MS } from '../runner/code-runner.js';

const MS_PER_CREDIT = 10;

/** Credits for code that ran: one per started 10 ms, and never less than one. */
export const codePrice = (runMs: number): number => Math.max(1, Math.ceil(runMs / MS_PER_CREDIT));

/** The most that a run can cost, which is what it takes to begin one. */
export const highestPrice = (timeoutMs: number): number => codePrice(timeoutMs + HARD_MARGIN_MS);

/** The longest timeout that so many credits cover; 0 when they cover none. */
export const affordableTimeoutMs = (credits: number): number =>
  Math.max(0, credits * MS_PER_CREDIT - HARD_MARGIN_MS);
