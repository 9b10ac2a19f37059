import type { ServerResponse } from 'node:http';
import { RequestMember } from '#libs/platform';

const MAX_LENGTH = 200;

const reasons = new RequestMember<string>();

/**
 * Sets the reason of a refusal for the log line of the request. The reason is in our own words and repeats nothing
 * of the request; for a storage that does not answer it has the storage's error.
 */
export const setLogReason = (response: ServerResponse, reason: string): void =>
  reasons.set(response, reason.slice(0, MAX_LENGTH));

/** Undefined when the request was not refused. */
export const logReasonOf = (response: ServerResponse): string | undefined => reasons.get(response);
