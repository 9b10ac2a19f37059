// Bare ws that passes messages from tab to tab within the process, in the frames of the hub.
import { randomUUID } from 'node:crypto';
import { createServer } from 'node:http';
import { WebSocketServer } from 'ws';

const tabs = new Map();
const http = createServer((_request, response) => response.end());
const sockets = new WebSocketServer({ server: http, maxPayload: 65_536 });
sockets.on('connection', (socket) => {
  const id = randomUUID();
  tabs.set(id, socket);
  socket.on('close', () => tabs.delete(id));
  socket.on('message', (text) => {
    const { to, body } = JSON.parse(text).data;
    tabs.get(to)?.send(JSON.stringify({ event: 'message', data: { from: id, body } }));
  });
  socket.send(JSON.stringify({ event: 'welcome', data: { tabId: id, tabs: [] } }));
});
http.listen(Number(process.env.PORT), '127.0.0.1');
