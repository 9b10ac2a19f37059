import type { PresentedToken } from './presented-token.sql.js';
import type { NewToken } from './token-store.sql.js';

/**
 * What one request gets for a code or refresh token. It is read once, before, and written once, after it
 * was decided: until then nothing is used up and nothing is given.
 */
export class Redemption {
  private readonly given: NewToken[] = [];
  private used = false;

  constructor(readonly presented: PresentedToken) {}

  get isUsed(): boolean {
    return this.used;
  }

  get tokens(): readonly NewToken[] {
    return this.given;
  }

  /** The request is good for it. False for a code or token that is not what was presented. */
  use(value: string): boolean {
    if (value !== this.presented.value) return false;
    this.used = true;
    return true;
  }

  give(token: NewToken): void {
    this.given.push(token);
  }
}
