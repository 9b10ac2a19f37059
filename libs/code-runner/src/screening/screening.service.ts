import { Injectable, Logger } from '@nestjs/common';
import { BudgetExhaustedError, type BudgetReservation, BudgetService } from '#libs/budget';
import { whileWaiting } from '#libs/platform';
import { ContentScreener, type ScreenedContent, type ScreeningResult } from './content-screener.js';

const CHARACTERS_PER_CREDIT = 1_000;

/** Credits for screening a text: one per started 1,000 UTF-16 code units, so nothing for an empty one. */
export const screeningPrice = (text: string): number =>
  Math.ceil(text.length / CHARACTERS_PER_CREDIT);

/** Content was refused, could not be screened or not be paid for. `message` says what to do. */
export class ScreeningError extends Error {
  override name = 'ScreeningError';
}

/**
 * All texts in a JSON value, one a line, names of members included: without escapes of JSON, which could hide words.
 */
export function textIn(value: unknown): string {
  const found: string[] = [];
  const rest: unknown[] = [value];
  while (rest.length > 0) {
    const next = rest.pop();
    if (typeof next !== 'object' || next === null) {
      found.push(String(next));
      continue;
    }
    const members = Array.isArray(next) ? next : Object.entries(next).flat();
    for (let index = members.length - 1; index >= 0; index -= 1) rest.push(members[index]);
  }
  return found.join('\n');
}

/** Whose budget it is, for the model. */
export const whose = (isMachine = false) => (isMachine ? "this client's" : "the user's");

/** For the model: whose budget did not cover a charge, and what else helps than to wait or to ask for less. */
export const whoseExhausted = ({ limitedBy }: BudgetExhaustedError, isMachine?: boolean) =>
  limitedBy === 'connection'
    ? { owner: "this app's", orElse: ', or ask the user to allow this app more' }
    : { owner: whose(isMachine), orElse: '' };

export interface ScreenedJson extends Omit<ScreenedContent, 'text'> {
  readonly value: unknown;
}

/** Screens content of an app before it is passed on, at the expense of its user's budget. */
@Injectable()
export class ScreeningService {
  private readonly logger = new Logger(ScreeningService.name);

  constructor(
    private readonly budgets: BudgetService,
    private readonly screener: ContentScreener,
  ) {}

  /**
   * Resolves when the content is accepted. Acceptance and refusal are charged; an empty text passes free of charge.
   * When the screener fails, nothing is charged and nothing passes.
   * @throws ScreeningError for the model: refused, unavailable, or not covered by today's budget
   * @throws the reason of `signal` at once when it fires; the screening is charged if it had begun
   */
  async check(content: ScreenedContent, signal?: AbortSignal): Promise<void> {
    await this.pass(content, screeningPrice(content.text), signal);
  }

  /** As `check`, for all texts in the value, at the price of its JSON text. */
  async checkJson({ value, ...origin }: ScreenedJson, signal?: AbortSignal): Promise<void> {
    const price = screeningPrice(JSON.stringify(value));
    await this.pass({ ...origin, text: textIn(value) }, price, signal);
  }

  /** Whether a value would be accepted, free of charge: for content that existed before any app connected. */
  async allows({ value, ...origin }: ScreenedJson): Promise<boolean> {
    const text = textIn(value);
    return (await this.ask({ ...origin, text })) === 'accepted';
  }

  private async pass(content: ScreenedContent, price: number, signal?: AbortSignal) {
    signal?.throwIfAborted();
    if (price === 0) return;
    const reservation = await this.charge(content, price);
    if (signal?.aborted) {
      await this.giveBack(reservation);
      throw signal.reason;
    }
    const result = await this.screen(content, reservation, signal);
    if (result === 'accepted') return;
    const service = content.isMachine ? 'This service' : "The user's service";
    throw new ScreeningError(`${service} does not allow this content; rephrase it.`);
  }

  private async charge({ userId, isMachine }: Omit<ScreenedContent, 'text'>, price: number) {
    try {
      return await this.budgets.reserve(userId, price);
    } catch (error) {
      if (error instanceof BudgetExhaustedError) throw exhausted(error, isMachine);
      this.logger.warn(`the budget could not be charged: ${String(error)}`);
      const owner = isMachine ? "This client's" : "The user's";
      throw new ScreeningError(
        `${owner} daily budget cannot be charged right now, so nothing was done; try again later.`,
        { cause: error },
      );
    }
  }

  private async screen(
    content: ScreenedContent,
    reservation: BudgetReservation,
    signal: AbortSignal | undefined,
  ): Promise<ScreeningResult> {
    try {
      return await unlessAborted(this.ask(content, signal), signal);
    } catch (error) {
      if (signal?.aborted) throw signal.reason;
      this.logger.warn(`screening failed: ${String(error)}`);
      const charged = (await this.giveBack(reservation)) ? ' and nothing charged' : '';
      throw new ScreeningError(
        `Content cannot be screened right now, so nothing was done${charged}; try again later.`,
        { cause: error },
      );
    }
  }

  private async ask(content: ScreenedContent, signal?: AbortSignal): Promise<ScreeningResult> {
    // An empty value such as {} contains no text to refuse.
    if (content.text === '') return 'accepted';
    return whileWaiting(() => this.screener.screen(content, signal));
  }

  private async giveBack(reservation: BudgetReservation) {
    try {
      await this.budgets.settle(reservation, 0);
      return true;
    } catch (error) {
      this.logger.warn(`the price of a failed screening was not given back: ${String(error)}`);
      return false;
    }
  }
}

function exhausted(error: BudgetExhaustedError, isMachine: boolean | undefined) {
  const { amount, left = 'fewer', resetsAt } = error;
  const { owner, orElse } = whoseExhausted(error, isMachine);
  const sentence = error.isCoveredByNow
    ? `other calls held too much of ${owner} daily budget a moment ago; try again now.`
    : `screening this takes ${amount} of ${owner} daily credits and ${left} are left; ` +
      `send less, or try again after ${resetsAt}${orElse}.`;
  return new ScreeningError(`Nothing was done: ${sentence}`, { cause: error });
}

/** As `work`, or rejects with the signal's reason when that fires first; the result of `work` is then ignored. */
async function unlessAborted<T>(work: Promise<T>, signal: AbortSignal | undefined): Promise<T> {
  const { promise: aborted, reject } = Promise.withResolvers<never>();
  const abort = () => reject(signal?.reason);
  signal?.addEventListener('abort', abort);
  try {
    return await Promise.race([work, aborted]);
  } finally {
    signal?.removeEventListener('abort', abort);
  }
}
