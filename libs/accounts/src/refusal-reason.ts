import type { Response } from 'express';

const MAX_LENGTH = 200;

/**
 * Keeps the reason of a refusal for the log line of the request. The reason is in our own words and repeats nothing
 * of the request.
 */
export function keepReason({ locals }: Response, reason: string): void {
  locals['refusalReason'] = reason.slice(0, MAX_LENGTH);
}

/** Undefined when the request was not refused. `locals` is missing when the request did not reach Express. */
export const keptReason = ({ locals }: Partial<Response>): string | undefined =>
  (locals as { refusalReason?: string } | undefined)?.refusalReason;
