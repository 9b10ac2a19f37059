import type { ServerResponse } from 'node:http';

type Ending = () => void;

/** A property of the response, so that it is collected with it: values of a WeakMap survive young collections. */
const ENDINGS = Symbol('endings');

interface Exchange extends ServerResponse {
  [ENDINGS]?: Ending[];
}

/** Calls `end` once, when the answer has been sent or can no longer be. Never for an upgraded request. */
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
