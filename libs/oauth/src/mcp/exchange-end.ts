import type { ServerResponse } from 'node:http';

type Ending = () => void;

const endings = new WeakMap<ServerResponse, Ending[]>();

/** Calls `end` once, as soon as the answer has been sent or can no longer be. */
export function onExchangeEnd(response: ServerResponse, end: Ending): void {
  if (response.destroyed) return end();
  const others = endings.get(response);
  if (others) return void others.push(end);
  const all = [end];
  endings.set(response, all);
  response.once('close', () => {
    for (const one of all) one();
  });
}
