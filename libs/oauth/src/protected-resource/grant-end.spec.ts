import { once } from 'node:events';
import { request } from 'node:http';
import { ResourceServer } from '../testbed/resource-server.testbed.js';

describe('an exchange that is open when its grant ends (contract: MCP endpoint)', () => {
  let server: ResourceServer;

  beforeAll(async () => {
    server = await ResourceServer.start();
  });
  afterAll(() => server.close());

  /** A call that waits for the rest of its body, with a token whose grant lasts so long. */
  const open = async (token: string, grantExpiresIn: number) => {
    await server.give(token, { grantExpiresIn });
    const call = request(`${server.origin}/svc/mcp`, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${token}`,
        'content-type': 'application/json',
        'content-length': '2',
      },
    });
    call.write('{');
    return call;
  };

  it('ends with it', async () => {
    const call = await open('short', 500);
    const [error] = await once(call, 'error');
    expect(error).toMatchObject({ code: 'ECONNRESET' });
  });

  it.each([60_000, 30 * 24 * 60 * 60 * 1000])('goes on while it lasts: %i ms', async (lasts) => {
    const short = await open(`short-${lasts}`, 500);
    const call = await open(`long-${lasts}`, lasts);
    await once(short, 'error');
    call.end('}');
    const [answer] = await once(call, 'response');
    expect(answer.statusCode).toBeLessThan(500);
    answer.resume();
  });
});
