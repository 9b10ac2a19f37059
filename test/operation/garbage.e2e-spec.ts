import { call } from '../support/http.js';
import { type BuiltServer, startBuiltServer } from '../support/built-server.js';
import { eventually } from '#libs/platform/testing';

/** On SIGUSR2 the server prints the size of its old generation, garbage included. */
const TELLS_OLD_SPACE = `
  import { getHeapSpaceStatistics } from 'node:v8';
  process.on('SIGUSR2', () => {
    const { space_used_size } = getHeapSpaceStatistics().find((one) => one.space_name === 'old_space');
    process.stderr.write('old space: ' + space_used_size + '\\n');
  });`;

const OLD_SPACE = /^old space: (\d+)$/gm;
const REQUESTS = 4_000;
const AT_ONCE = 32;

describe('what a request leaves behind', () => {
  let server: BuiltServer;

  beforeAll(async () => {
    const module = `data:text/javascript,${encodeURIComponent(TELLS_OLD_SPACE)}`;
    server = await startBuiltServer({ NODE_OPTIONS: `--import=${module}` });
  });
  afterAll(() => server.stop());

  const told = () =>
    [...server.process.stderr.matchAll(OLD_SPACE)].map(([, bytes]) => Number(bytes));

  async function oldSpace() {
    const before = told().length;
    server.process.signal('SIGUSR2');
    return eventually(() => {
      expect(told().length).toBeGreaterThan(before);
      return told().at(-1) ?? Number.NaN;
    });
  }

  async function ask(times: number) {
    const headers = { host: new URL(server.origin).host };
    const worker = async () => {
      for (let n = 0; n < times / AT_ONCE; n += 1) {
        const { status } = await call(server.port, {
          method: 'GET',
          path: '/svc/auth/me',
          headers,
        });
        expect(status).toBe(200);
      }
    };
    await Promise.all(Array.from({ length: AT_ONCE }, worker));
  }

  it('is gone with the young generation: nothing of it waits for a collection of everything', async () => {
    await ask(REQUESTS);
    const before = await oldSpace();
    await ask(REQUESTS);
    const bytesEach = ((await oldSpace()) - before) / REQUESTS;
    expect(bytesEach).toBeLessThan(1_500);
  });
});
