import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { Injectable, Logger } from '@nestjs/common';
import { RunsUnavailableError } from './run-limit.error.js';
import { RunSlots } from './user-run-limit.js';

const WAIT_MS = 2_000;
const RETRY_MS = 50;
const LINE_LENGTH = 4;
/** More than screening, waiting for a worker and the longest run take together. */
const MAX_HOLD_MS = 30_000;

/** Where an account's runs wait for a slot: a few of them, for up to two seconds. */
@Injectable()
export class SlotLineService {
  private readonly logger = new Logger(SlotLineService.name);
  private readonly waiting = new Map<string, number>();

  constructor(private readonly slots: RunSlots) {}

  /**
   * Gives what hands the slot back, which never fails; undefined when there was none in time.
   * @throws RunsUnavailableError
   */
  async enter(userId: string): Promise<(() => Promise<void>) | undefined> {
    const holder = randomUUID();
    try {
      if (!(await this.isTaken(userId, holder))) return undefined;
    } catch (cause) {
      // Its answer may be all that was lost, and the slot would be taken until its time is up.
      void this.release(userId, holder);
      throw new RunsUnavailableError('slots', { cause });
    }
    return () => this.release(userId, holder);
  }

  private async isTaken(userId: string, holder: string) {
    if (await this.slots.take(userId, holder, MAX_HOLD_MS)) return true;
    const inLine = this.waiting.get(userId) ?? 0;
    if (inLine >= LINE_LENGTH) return false;
    this.waiting.set(userId, inLine + 1);
    try {
      return await this.isTakenInTime(userId, holder);
    } finally {
      const left = (this.waiting.get(userId) ?? 1) - 1;
      if (left === 0) this.waiting.delete(userId);
      else this.waiting.set(userId, left);
    }
  }

  private async isTakenInTime(userId: string, holder: string) {
    const giveUpAt = performance.now() + WAIT_MS;
    while (performance.now() < giveUpAt) {
      await sleep(RETRY_MS);
      if (await this.slots.take(userId, holder, MAX_HOLD_MS)) return true;
    }
    return false;
  }

  private async release(userId: string, holder: string) {
    try {
      await this.slots.release(userId, holder);
    } catch (error) {
      this.logger.warn(`a slot for code comes free only by itself: ${String(error)}`);
    }
  }
}
