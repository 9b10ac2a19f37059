// socket.io that passes messages from tab to tab; over the Redis adapter when REDIS_URL is set.
import { createServer } from 'node:http';
import { createAdapter } from '@socket.io/redis-adapter';
import { Redis } from 'ioredis';
import { Server } from 'socket.io';

const { PORT, REDIS_URL } = process.env;
const adapter = () => createAdapter(new Redis(REDIS_URL), new Redis(REDIS_URL));

const http = createServer((_request, response) => response.end());
const io = new Server(http, REDIS_URL ? { adapter: adapter() } : {});
io.on('connection', (socket) => {
  socket.on('send', ({ to, body }) => io.to(to).emit('message', { from: socket.id, body }));
});
http.listen(Number(PORT), '127.0.0.1');
