import {
  type AuthenticationResponseJSON,
  browserSupportsWebAuthnAutofill,
  startAuthentication,
  WebAuthnAbortService,
} from '@simplewebauthn/browser';
import { requestOptions } from './ceremonies.js';

/** Offers passkeys among the suggestions of the name field, once that field has the focus. */
export class Autofill {
  private turn: object | undefined;
  private renewal: ReturnType<typeof setTimeout> | undefined;

  constructor(
    private readonly isWanted: () => boolean,
    private readonly chosen: (response: AuthenticationResponseJSON) => void,
    private readonly log: (error: unknown) => void,
  ) {}

  arm() {
    if (this.turn !== undefined) return;
    const turn = {};
    this.turn = turn;
    this.offer(turn).catch((error: unknown) => {
      // A cancelled offer is not a failure.
      if (this.turn !== turn) return;
      this.turn = undefined;
      this.log(error);
    });
  }

  disarm() {
    clearTimeout(this.renewal);
    this.turn = undefined;
    WebAuthnAbortService.cancelCeremony();
  }

  private async offer(turn: object) {
    if (!(await browserSupportsWebAuthnAutofill()) || this.turn !== turn) return;
    const optionsJSON = await requestOptions();
    if (this.turn !== turn) return;
    // One minute before the challenge expires.
    this.renewal = setTimeout(() => this.renew(), 4 * 60_000);
    const response = await startAuthentication({ optionsJSON, useBrowserAutofill: true });
    if (this.turn === turn) this.chosen(response);
  }

  private renew() {
    this.disarm();
    if (this.isWanted()) this.arm();
  }
}
