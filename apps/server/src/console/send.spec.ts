import { once } from 'node:events';
import { get, type IncomingMessage, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Readable } from 'node:stream';
import { StreamableFile } from '@nestjs/common';
import { exactExpress } from '../http/express.adapter.js';
import { sendFile } from './send.js';

describe('a file of the console', () => {
  let server: Server;
  let file: Readable;
  let sent: Promise<void>;
  let answer: IncomingMessage;

  /** Sends it to a browser that has its headers when this resolves. */
  async function send(lines: () => AsyncGenerator<string>) {
    file = Readable.from(lines());
    const app = exactExpress().get('/', (_request, response) => {
      sent = sendFile(response, new StreamableFile(file));
    });
    server = app.listen(0, '127.0.0.1');
    await once(server, 'listening');
    const { port } = server.address() as AddressInfo;
    [answer] = await once(get({ port, host: '127.0.0.1' }), 'response');
  }

  afterEach(async () => {
    server.closeAllConnections();
    server.close();
    await once(server, 'close');
  });

  it('is read no further when its browser leaves, which is no failure', async () => {
    await send(async function* () {
      for (;;) yield 'a line\r\n'.repeat(1_000);
    });
    answer.destroy();
    await expect(sent).resolves.toBeUndefined();
    expect(file.destroyed).toBe(true);
  });

  it('fails, and ends before its end, when it cannot be read on', async () => {
    await send(async function* () {
      yield 'a line\r\n';
      throw new Error('storage is away');
    });
    const read = answer.toArray();
    await expect(sent).rejects.toThrow('storage is away');
    await expect(read).rejects.toThrow('aborted');
  });
});
