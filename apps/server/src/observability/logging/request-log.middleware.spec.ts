import express from 'express';
import request from 'supertest';
import { setLogCaller } from '#libs/accounts';
import { eventually } from '#libs/platform/testing';
import { requestLog } from './request-log.middleware.js';
import { ServiceLogger } from './service.logger.js';

interface Line {
  readonly requestId: string;
  readonly path: string;
  readonly message: string;
}

const MADE_HERE = /^[0-9a-f-]{36}$/;

describe('request log', () => {
  let lines: string[];

  async function ask(trusted: string, path: string, headers: Record<string, string> = {}) {
    lines = [];
    const app = express().set('trust proxy', [trusted]);
    const logger = new ServiceLogger('info', { write: (line) => void lines.push(line) });
    app.use(requestLog(logger));
    app.get('/known', (known, answer) => {
      setLogCaller(known, { user: 'ann', client: 'robot' });
      answer.end();
    });
    const answer = await request(app).get(path).set(headers);
    await eventually(() => expect(lines).toHaveLength(1));
    return { id: answer.headers['x-request-id'], line: JSON.parse(lines[0] ?? '') as Line };
  }

  it('takes the request id of a trusted proxy', async () => {
    const { id, line } = await ask('127.0.0.1', '/', { 'x-request-id': 'edge-1' });
    expect([id, line.requestId]).toEqual(['edge-1', 'edge-1']);
  });

  it('takes no request id from an untrusted peer, whatever address it claims', async () => {
    const headers = { 'x-request-id': 'edge-1', 'x-forwarded-for': '127.0.0.2' };
    const { id, line } = await ask('127.0.0.2', '/', headers);
    expect(id).toEqual(expect.stringMatching(MADE_HERE));
    expect(line.requestId).toBe(id);
  });

  it('names the trace of a well-formed traceparent header', async () => {
    const id = '4bf92f3577b34da6a3ce929d0e0e4736';
    const traced = await ask('127.0.0.2', '/', { traceparent: `00-${id}-00f067aa0ba902b7-01` });
    expect(traced.line).toMatchObject({ traceId: id, requestId: traced.id });
  });

  it('names no trace if the traceparent header is malformed', async () => {
    const { line } = await ask('127.0.0.1', '/', { traceparent: '00-secret' });
    expect(line).not.toHaveProperty('traceId');
    expect(lines.join('')).not.toContain('secret');
  });

  it('names the path without its query', async () => {
    const { line } = await ask('127.0.0.1', '/svc/mcp?code=secret');
    expect(line).toMatchObject({ path: '/svc/mcp', message: 'GET /svc/mcp 404' });
    expect(lines.join('')).not.toContain('secret');
  });

  it('names the user and the client that proved who they are', async () => {
    const { line } = await ask('127.0.0.1', '/known');
    expect(line).toMatchObject({ path: '/known', user: 'ann', client: 'robot' });
    expect((await ask('127.0.0.1', '/')).line).not.toHaveProperty('user');
  });

  it('names at most 256 characters of a path', async () => {
    const { line } = await ask('127.0.0.1', `/${'x'.repeat(300)}`);
    expect(line.path).toBe(`/${'x'.repeat(255)}`);
  });
});
