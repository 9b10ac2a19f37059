import type { Response } from 'express';

const MAX_LENGTH = 200;

/**
 * Keeps why a request is refused, for the line of the request in the log. The reason is in words of ours that
 * repeat nothing of the request.
 */
export function keepReason({ locals }: Response, reason: string): void {
  locals['refusalReason'] = reason.slice(0, MAX_LENGTH);
}

/** Undefined for what was not refused. `locals` is missing where no Express was reached. */
export const keptReason = ({ locals }: Partial<Response>): string | undefined =>
  (locals as { refusalReason?: string } | undefined)?.refusalReason;
