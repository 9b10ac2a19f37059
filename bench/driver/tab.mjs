// An open tab: a WebSocket that knows its own name.
import { once } from 'node:events';
import { WebSocket } from 'ws';
import { PROTOCOLS } from './tab-protocols.mjs';

export class Tab {
  /** The name of the tab that it talks to. */
  partner;
  /** Called at each message. */
  heard = () => undefined;
  #socket;
  #protocol;

  /** Resolves when it is connected and has its name. `at` has `protocol`, `port` and `headers`. */
  static async open({ protocol, port, headers }) {
    const tab = new Tab(PROTOCOLS[protocol], port, headers);
    await tab.greeted;
    return tab;
  }

  constructor(protocol, port, headers) {
    this.#protocol = protocol;
    const options = { headers, perMessageDeflate: false };
    this.#socket = new WebSocket(`ws://127.0.0.1:${port}${protocol.path}`, options);
    this.greeted = new Promise((resolve, reject) => {
      this.#socket.on('error', reject);
      this.#socket.on('close', (code) => this.#lost(code, reject));
      this.#socket.on('message', (data) => this.#hear(data.toString('latin1'), resolve));
    });
    if (protocol.greeting) this.#socket.on('open', () => this.#socket.send(protocol.greeting));
  }

  /** Says something to its partner. */
  say() {
    this.#socket.send(this.#protocol.message(this.partner));
  }

  async close() {
    if (this.#socket.readyState === WebSocket.CLOSED) return;
    this.closing = true;
    const closed = once(this.#socket, 'close');
    this.#socket.close();
    await closed;
  }

  #hear(text, greeted) {
    const { isMessage, isRefusal, nameIn, answerTo } = this.#protocol;
    if (isMessage(text)) {
      this.heard();
      return;
    }
    if (isRefusal(text)) throw new Error(`a tab was refused: ${text}`);
    const answer = answerTo?.(text);
    if (answer) this.#socket.send(answer);
    this.name ??= nameIn(text);
    if (this.name) greeted();
  }

  #lost(code, reject) {
    const error = new Error(`a tab was closed: ${code}`);
    reject(error);
    if (this.name && !this.closing) throw error;
  }
}
