import type { ServerResponse } from 'node:http';

/**
 * Calls once when the answer was written, or cannot be any more. An upgraded request has none. The
 * library `on-finished` also hears the socket, so the end of a tab would be the end of a request.
 */
export function onFinished(response: ServerResponse, listener: () => void): void {
  let over = false;
  const end = () => {
    if (over) return;
    over = true;
    listener();
  };
  response.once('finish', end).once('close', end);
}
