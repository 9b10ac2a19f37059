import type { IncomingMessage } from 'node:http';
import { RequestMember } from '#libs/platform';

type Check = () => Promise<unknown>;

const checks = new RequestMember<readonly Check[]>();

/**
 * For a guard: what let a request through is looked at again when its body is there, which may be
 * minutes later. `check` rejects for what does not hold any more.
 */
export function checkAgainAfterBody(request: IncomingMessage, check: Check): void {
  checks.set(request, [...(checks.get(request) ?? []), check]);
}

/** Rejects as the first check that does. */
export async function checkAgain(request: IncomingMessage): Promise<void> {
  for (const check of checks.get(request) ?? []) await check();
}
