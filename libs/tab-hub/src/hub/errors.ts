import { MAX_NESTING } from '../protocol/frames-from-tab.js';

abstract class HubError extends Error {
  override name = this.constructor.name;
}

export class UnknownTabError extends HubError {
  constructor() {
    super('no open tab has that id');
  }
}

/** What an account's tabs send would be delivered more often, or in more bytes, than a replica does in a second. */
export class TooManyDeliveriesError extends HubError {
  constructor() {
    super('the tabs of this account are sent too much');
  }
}

/** The tab did not answer in time; it may still do what it was asked. */
export class CallTimeoutError extends HubError {
  constructor(readonly timeoutMs: number) {
    super(`the tab did not answer within ${timeoutMs} ms`);
  }
}

/** The caller no longer waits. The tab is told, and may still do what it was asked. */
export class CallCancelledError extends HubError {
  constructor() {
    super('the call was cancelled');
  }
}

/** The tab went away before it answered. */
export class TabGoneError extends HubError {
  constructor() {
    super('the tab was closed before it answered');
  }
}

/** The page offers other tools than the call was checked by; these are published by now. The tab was not asked. */
export class OutdatedCallError extends HubError {
  constructor() {
    super('the page has just changed what it offers');
  }
}

/** The tab refused; the message is its own, at most 1000 characters, and is not to be trusted. */
export class CallRefusedError extends HubError {}

/** Too many calls of the account wait for an answer at once. */
export class TooManyCallsError extends HubError {
  constructor(readonly limit: number) {
    super(`${limit} calls to tabs of this account are waiting already`);
  }
}

/** What an app says to tabs does not fit in a frame. */
export class OversizedMessageError extends HubError {
  constructor(readonly maxBytes: number) {
    super(`a message to a tab takes at most ${maxBytes} bytes of JSON, ${MAX_NESTING} levels deep`);
  }
}
