// Requests to a server that is measured, with as little work of our own as can be.
import { Pool } from 'undici';

const CONNECTIONS = 32;

export class HttpClient {
  #pool;
  #host;

  /** `origin` is what the server believes to be called; it is always asked on 127.0.0.1. */
  constructor(port, origin = `http://localhost:${port}`) {
    this.#pool = new Pool(`http://127.0.0.1:${port}`, { connections: CONNECTIONS });
    this.#host = new URL(origin).host;
  }

  /**
   * Resolves with `{ status, headers, text }`; rejects when the status is not the expected one: whatever is
   * measured, a wrong answer ends it.
   */
  ask({ method = 'GET', path, headers = {}, body }, expected = 200) {
    const options = { method, path, headers: { host: this.#host, ...headers }, body };
    return new Promise((resolve, reject) => {
      const answer = new Answer((error) => {
        const { status, text } = answer;
        if (error) reject(error);
        else if (status === expected) resolve(answer);
        else reject(new Error(`${method} ${path}: ${status} instead of ${expected}: ${text}`));
      });
      this.#pool.dispatch(options, answer);
    });
  }

  async json(request, expected) {
    return JSON.parse((await this.ask(request, expected)).text);
  }

  close = () => this.#pool.destroy();
}

/** An answer on its way, as undici tells of it. */
class Answer {
  status = 0;
  headers = {};
  #chunks = [];
  #done;

  constructor(done) {
    this.#done = done;
  }

  get text() {
    return Buffer.concat(this.#chunks).toString();
  }

  onRequestStart() {}

  onResponseStart(_controller, status, headers) {
    this.status = status;
    this.headers = headers;
  }

  onResponseData(_controller, chunk) {
    this.#chunks.push(chunk);
  }

  onResponseEnd() {
    this.#done();
  }

  onResponseError(_controller, error) {
    this.#done(error);
  }
}
