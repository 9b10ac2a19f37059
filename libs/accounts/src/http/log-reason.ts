import type { IncomingMessage, ServerResponse } from 'node:http';
import { RequestMember } from '#libs/platform';

const MAX_LENGTH = 200;

const reasons = new RequestMember<string>();

/** Sets the reason of a refusal for the request's log line, in our own words: repeats nothing of the request. */
export const setLogReason = (response: ServerResponse, reason: string): void =>
  reasons.set(response, reason.slice(0, MAX_LENGTH));

export const logReasonOf = (response: ServerResponse): string | undefined => reasons.get(response);

/** The ids of those behind a request that proved who they are. */
interface LogCaller {
  readonly user?: string | undefined;
  readonly client?: string | undefined;
}

const callers = new RequestMember<LogCaller>();

/** Sets the account and the client for the request's log line. */
export const setLogCaller = (request: IncomingMessage, caller: LogCaller): void =>
  callers.set(request, caller);

export const logCallerOf = (request: IncomingMessage): LogCaller | undefined =>
  callers.get(request);
