import { EventEmitter, once } from 'node:events';
import { Writable } from 'node:stream';
import { stripVTControlCharacters } from 'node:util';
import type { Request, Response } from 'express';
import { requestLog } from './request-log.middleware.js';
import { linesForPeople, ServiceLogger, toLogLine } from './service.logger.js';

describe('toLogLine', () => {
  it('takes a text and its context', () => {
    expect(toLogLine('it listens', ['Start'])).toEqual({
      message: 'it listens',
      context: 'Start',
      fields: {},
    });
  });

  it('keeps the stack that follows an error text', () => {
    const { message, context } = toLogLine('it failed', ['Error: x\n at y', undefined, 'Hub']);
    expect([message, context]).toEqual(['it failed\nError: x\n at y', 'Hub']);
  });

  it('takes fields and the text that goes with them', () => {
    expect(toLogLine({ userId: 'ann' }, ['sign-up', 'Audit'])).toEqual({
      message: 'sign-up',
      context: 'Audit',
      fields: { userId: 'ann' },
    });
  });

  it('keeps of an error what holds no parameter', () => {
    const failed = Object.assign(new Error('no such table'), {
      code: 'SQLITE_ERROR',
      parameters: ['s3cret'],
      query: 'SELECT 1',
    });
    const line = toLogLine(failed, ['Hub']);
    expect(line.message).toBe('no such table');
    expect(line.error).toMatchObject({ type: 'Error', code: 'SQLITE_ERROR' });
    expect(JSON.stringify(line)).not.toMatch(/s3cret|SELECT/);
  });

  it.each([undefined, null, 7])('takes %p as it is', (said) => {
    expect(toLogLine(said, [])).toEqual({ message: String(said), fields: {} });
  });
});

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
