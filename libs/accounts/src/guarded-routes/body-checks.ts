import type { IncomingMessage } from 'node:http';
import { RequestMember } from '#libs/platform';

type Check = () => Promise<unknown>;

const checks = new RequestMember<readonly Check[]>();

/**
 * For a guard: registers a check to repeat once the body has been read, which may be minutes later. `check` rejects
 * when the request may no longer pass.
 */
export function checkAgainAfterBody(request: IncomingMessage, check: Check): void {
  checks.set(request, [...(checks.get(request) ?? []), check]);
}

/** Runs the registered checks in order; rejects with the first that fails. */
export async function checkAgain(request: IncomingMessage): Promise<void> {
  for (const check of checks.get(request) ?? []) await check();
}
