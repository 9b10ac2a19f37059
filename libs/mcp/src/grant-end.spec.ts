import { once } from 'node:events';
import { IncomingMessage, request, ServerResponse } from 'node:http';
import { Socket } from 'node:net';
import { bearer } from '../../oauth/src/testbed/protected-resource.testbed.js';
import { ResourceServer } from './testbed/resource-server.testbed.js';
import { endWithAccess } from '#libs/accounts';

describe('an exchange that is open when its grant ends (contract: MCP endpoint)', () => {
  let server: ResourceServer;

  beforeAll(async () => {
    server = await ResourceServer.start();
  });
  afterAll(() => server.close());

  /** A call that waits for the rest of its body, with a token whose grant has the given lifetime. */
  const open = async (token: string, grantExpiresIn: number) => {
    await server.give(token, { grantExpiresIn });
    const call = request(`${server.origin}/svc/mcp`, {
      method: 'POST',
      headers: {
        authorization: bearer(token),
        'content-type': 'application/json',
        'content-length': '2',
      },
    });
    call.write('{');
    return call;
  };

  it('ends with it', async () => {
    const call = await open('short', 2_000);
    const [error] = await once(call, 'error');
    expect(error).toMatchObject({ code: 'ECONNRESET' });
  });

  it.each([60_000, 30 * 24 * 60 * 60 * 1000])('goes on while it lasts: %i ms', async (lasts) => {
    const short = await open(`short-${lasts}`, 2_000);
    const call = await open(`long-${lasts}`, lasts);
    await once(short, 'error');
    call.end('}');
    const [answer] = await once(call, 'response');
    expect(answer.statusCode).toBeLessThan(500);
    answer.resume();
  });
});

describe('an exchange that is over', () => {
  it('keeps nothing until its grant ends, also when it was over while the grant was looked up', () => {
    jest.useFakeTimers({ doNotFake: ['nextTick'] });
    const response = new ServerResponse(new IncomingMessage(new Socket()));
    endWithAccess(response, Date.now() + 60_000, async () => true);
    expect(jest.getTimerCount()).toBe(1);
    response.destroy().emit('close');
    expect(jest.getTimerCount()).toBe(0);
    endWithAccess(response, Date.now() + 60_000, async () => true);
    expect(jest.getTimerCount()).toBe(0);
    jest.useRealTimers();
  });
});
