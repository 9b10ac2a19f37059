import type { ServerResponse } from 'node:http';

type Ending = () => void;

/** A member of the response, which goes with it: what a WeakMap holds outlives what is young. */
const ENDINGS = Symbol('endings');

interface Exchange extends ServerResponse {
  [ENDINGS]?: Ending[];
}

/**
 * Calls `end` once, as soon as the answer has been sent or can no longer be. An upgraded request has no
 * such end.
 */
export function onExchangeEnd(response: Exchange, end: Ending): void {
  if (response.destroyed) return end();
  const others = response[ENDINGS];
  if (others) return void others.push(end);
  response[ENDINGS] = [end];
  response.once('close', endAll);
}

function endAll(this: Exchange) {
  for (const end of this[ENDINGS] ?? []) end();
}
