import type { PresentedToken } from './presented-token.sql.js';
import type { NewToken } from './token-store.sql.js';

/**
 * What one request gets for a code or refresh token. The token is read once before the library decides,
 * and everything is written once after that: until then nothing is used up and nothing is issued.
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

  /** Marks the presented code or token as used. False for any other value. */
  use(value: string): boolean {
    if (value !== this.presented.value) return false;
    this.used = true;
    return true;
  }

  give(token: NewToken): void {
    this.given.push(token);
  }
}
