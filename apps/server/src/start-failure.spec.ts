import { once } from 'node:events';
import { createServer } from 'node:net';
import { describeStartFailure } from './start-failure.js';

const PORT = 4000;

/** The error of a server that cannot listen. */
async function listenError(host: string, port = PORT): Promise<Error> {
  const [error] = await once(createServer().listen(port, host), 'listening').catch((e) => [e]);
  return error as Error;
}

const config = (host: string, managementHost = '127.0.0.1', managementPort = 9090) => ({
  listen: { host, port: PORT },
  management: { host: managementHost, port: managementPort },
});

describe('a listener that cannot open', () => {
  it('names HOST or MANAGEMENT_HOST for an address that the machine does not have', async () => {
    const error = await listenError('192.0.2.1');
    const told = 'this machine does not have that address; set another';
    expect(describeStartFailure(error, config('192.0.2.1'))).toMatch(
      new RegExp(`^listen EADDRNOTAVAIL[^\n]*: ${told} HOST\n$`),
    );
    expect(describeStartFailure(error, config('127.0.0.1', '192.0.2.1', PORT))).toMatch(
      new RegExp(`: ${told} MANAGEMENT_HOST\n$`),
    );
  });

  it('names HOST or MANAGEMENT_HOST for a name that is not known', async () => {
    const error = await listenError('gatehouse.invalid');
    const told = ': that host name is not known here; set another';
    expect(describeStartFailure(error, config('gatehouse.invalid'))).toMatch(`${told} HOST\n`);
    expect(describeStartFailure(error, config('127.0.0.1', 'gatehouse.invalid'))).toMatch(
      `${told} MANAGEMENT_HOST\n`,
    );
  });

  it('names PORT or MANAGEMENT_PORT for a port that the user may not have', () => {
    const denied = (port: number) =>
      Object.assign(new Error(`listen EACCES: permission denied 127.0.0.1:${port}`), {
        code: 'EACCES',
        syscall: 'listen',
        address: '127.0.0.1',
        port,
      });
    const told = ': this user may not listen there; set another';
    expect(describeStartFailure(denied(PORT), config('127.0.0.1'))).toMatch(`${told} PORT\n`);
    expect(describeStartFailure(denied(80), config('127.0.0.1', '127.0.0.1', 80))).toMatch(
      `${told} MANAGEMENT_PORT\n`,
    );
  });

  it('names no variable for the code of another failure', () => {
    const error = Object.assign(new Error('EACCES: permission denied'), { code: 'EACCES' });
    expect(describeStartFailure(error, config('127.0.0.1'))).toBe(
      'Gatehouse could not start: EACCES: permission denied (EACCES)\n',
    );
  });
});
