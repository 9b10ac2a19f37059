import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net';

/** Forwards TCP connections to another port of this machine; a test can interrupt it like a cable. */
export class Relay {
  private readonly sockets = new Set<Socket>();
  private readonly muted = new Set<Socket>();
  private silent = false;
  private isFatal: ((request: string) => boolean) | undefined;

  private constructor(
    private readonly server: Server,
    readonly port: number,
    private target: number,
  ) {}

  static async to(target: number): Promise<Relay> {
    const server = createServer();
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    const relay = new Relay(server, (server.address() as AddressInfo).port, target);
    server.on('connection', (near) => relay.pass(near, relay.target));
    return relay;
  }

  /** The same URL with this relay as its host. */
  instead(url: string): string {
    const relayed = new URL(url);
    relayed.host = `127.0.0.1:${this.port}`;
    return relayed.href;
  }

  /** Forwards new connections to another port; open ones stay where they are. */
  leadTo(target: number) {
    this.target = target;
  }

  /** Breaks every connection and refuses new ones. */
  async cut() {
    const closed = once(this.server, 'close');
    this.server.close();
    for (const socket of this.sockets) socket.destroy();
    await closed;
  }

  async restore() {
    this.server.listen(this.port, '127.0.0.1');
    await once(this.server, 'listening');
  }

  /** Keeps connections open, and accepts new ones, but forwards nothing. */
  hush() {
    this.silent = true;
    for (const socket of this.sockets) socket.pause();
  }

  unhush() {
    this.silent = false;
    for (const socket of this.sockets) socket.resume();
  }

  /** Forwards requests, but from the first matching one on returns no answer over its connection. */
  loseAnswersTo(fits: (request: string) => boolean) {
    this.isFatal = fits;
  }

  /** Whether an answer was lost since then. */
  get lostAnswers() {
    return this.muted.size > 0;
  }

  /** Delivers the answers that were held back. */
  deliver() {
    this.isFatal = undefined;
    for (const far of this.muted) far.resume();
    this.muted.clear();
  }

  /** Breaks every connection, with the answers in transit; new connections work. */
  drop() {
    this.isFatal = undefined;
    for (const socket of this.sockets) socket.destroy();
    this.muted.clear();
  }

  private pass(near: Socket, target: number) {
    const far = connect(target, '127.0.0.1');
    near.on('data', (request: Buffer) => {
      if (!this.isFatal?.(request.toString('latin1'))) return;
      this.muted.add(far.pause());
    });
    this.join(near, far);
    this.join(far, near);
  }

  private join(from: Socket, to: Socket) {
    this.sockets.add(from);
    from.on('data', (chunk) => to.write(chunk));
    from.on('error', () => from.destroy());
    from.on('close', () => {
      this.sockets.delete(from);
      to.destroy();
    });
    if (this.silent) from.pause();
  }
}
