import { EventEmitter, once } from 'node:events';
import { Writable } from 'node:stream';
import { stripVTControlCharacters } from 'node:util';
import type { Request, Response } from 'express';
import { requestLog } from './request-log.middleware.js';
import { linesForPeople, ServiceLogger } from './service.logger.js';

/** The lines that a person at a terminal reads, without colours and times. */
async function read(work: (logger: ServiceLogger) => void): Promise<string[]> {
  let text = '';
  const terminal = new Writable({
    write(chunk, _encoding, done) {
      text += String(chunk);
      done();
    },
  });
  const out = linesForPeople(terminal);
  work(new ServiceLogger('info', out));
  out.end();
  await once(terminal, 'finish');
  const plain = stripVTControlCharacters(text).trimEnd();
  return plain.split('\n').map((line) => line.trimEnd().replace(/^\[[\d:.]+\] /, ''));
}

describe('the log on a terminal', () => {
  it('has one line a request', async () => {
    const lines = await read((logger) => {
      const response = Object.assign(new EventEmitter(), {
        setHeader: () => {},
        statusCode: 200,
        writableFinished: true,
      });
      const request = { method: 'GET', originalUrl: '/svc/auth/me?code=x', headers: {} };
      requestLog(logger)(request as Request, response as unknown as Response, () => {});
      response.emit('close');
    });
    expect(lines).toEqual([
      expect.stringMatching(/^INFO: \[Request\] GET \/svc\/auth\/me 200 in [\d.]+ ms$/),
    ]);
  });

  it('has one line an event, with what belongs to it', async () => {
    const lines = await read((logger) =>
      logger.log({ type: 'sign-up', userId: 'ann' }, 'sign-up', 'Audit'),
    );
    expect(lines).toEqual(['INFO: [Audit] sign-up {"type":"sign-up","userId":"ann"}']);
  });

  it('has the stack of an error below its line', async () => {
    const lines = await read((logger) => logger.error(new TypeError('broken'), 'Elsewhere'));
    expect(lines[0]).toBe('ERROR: [Elsewhere] broken');
    expect(lines.join('\n')).toContain('TypeError: broken');
    expect(lines.length).toBeGreaterThan(3);
  });

  it('leaves out what Nest says of its own start', async () => {
    const lines = await read((logger) => {
      logger.log('Nest application successfully started', 'NestApplication');
      logger.log('serves', 'Start');
    });
    expect(lines).toEqual(['INFO: [Start] serves']);
  });
});
