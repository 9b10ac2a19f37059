import type { Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { onExchangeEnd } from '#libs/platform';
import { upgradeOf } from '#libs/tab-hub';

/**
 * Has every answer close with its connection. Of several requests that came without waiting for answers,
 * Node forgets all answers but the first when a `CONNECT` or an upgrade comes behind them: they would
 * never close, and whatever is counted or kept until then would stay for ever. To be called before the
 * server listens.
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
