import type { ServerResponse } from 'node:http';
import { RequestMember } from '#libs/platform';

const MAX_LENGTH = 200;

const reasons = new RequestMember<string>();

/** Sets the reason of a refusal for the request's log line, in our own words: repeats nothing of the request. */
export const setLogReason = (response: ServerResponse, reason: string): void =>
  reasons.set(response, reason.slice(0, MAX_LENGTH));

export const logReasonOf = (response: ServerResponse): string | undefined => reasons.get(response);
