import type { Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { onExchangeEnd } from '#libs/platform';
import { upgradeOf } from '#libs/tab-hub';

/**
 * Makes every response emit `close` with its connection. When a `CONNECT` or an upgrade follows pipelined requests,
 * Node forgets all their responses but the first: they would never close, and anything counted or kept until then
 * would leak. Call this before the server listens.
 */
export function closeLostAnswers(server: Server): void {
  const answers = new WeakMap<Socket, Set<ServerResponse>>();
  server.on('connection', (socket: Socket) => {
    const open = new Set<ServerResponse>();
    answers.set(socket, open);
    socket.once('close', () => open.forEach(close));
  });
  server.prependListener('request', (request, response) => {
    const open = answers.get(request.socket);
    if (!open || upgradeOf(request)) return;
    open.add(response);
    onExchangeEnd(response, () => open.delete(response));
  });
}

function close(response: ServerResponse) {
  response.destroy();
  if (!response.closed) response.emit('close');
}
