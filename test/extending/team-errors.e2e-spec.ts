import {
  BadGatewayException,
  BadRequestException,
  ConflictException,
  Controller,
  Get,
  HttpException,
  Param,
  Res,
} from '@nestjs/common';
import type { Response } from 'express';
import { get } from 'node:http';
import { eventually } from '#libs/platform/testing';
import { call } from '../support/http.js';
import { bring, startTeamApp } from './team-app.js';

const SECRET = 'password=hunter2';

const ERRORS: Readonly<Record<string, Error>> = {
  object: new BadRequestException({ code: 'anvils', max: 3 }),
  text: new ConflictException('no anvils are left'),
  nothing: new ConflictException(),
  bare: new HttpException('short and stout', 418),
  gateway: new BadGatewayException({ upstream: SECRET }),
  failure: new HttpException(SECRET, 500),
  bug: new Error(SECRET),
};

@Controller()
class AnvilsController {
  @Get(['acme/:error', 'svc/auth/acme/:error'])
  fail(@Param('error') error: string): never {
    throw ERRORS[error] ?? new Error('unknown');
  }

  @Get('broken/off')
  breakOff(@Res() response: Response): never {
    response.write('half of ');
    throw new BadRequestException(SECRET);
  }
}

describe('what a controller of a team throws', () => {
  let port: number;
  let stop: () => Promise<void>;

  beforeAll(async () => {
    ({ port, stop } = await startTeamApp(bring([AnvilsController])));
  });
  afterAll(() => stop());

  const ask = (path: string) =>
    call(port, { method: 'GET', path, headers: { host: `localhost:${port}` } });

  it.each(['/acme', '/svc/auth/acme'])('below %s is answered with its own object', async (area) => {
    const answer = await ask(`${area}/object`);
    expect([answer.status, answer.json()]).toEqual([400, { code: 'anvils', max: 3 }]);
  });

  it.each([
    ['text', 409, 'no anvils are left'],
    ['nothing', 409, 'conflict'],
    ['bare', 418, 'short and stout'],
  ])('is answered with its own words, as its area does: %s', async (error, status, words) => {
    const plain = await ask(`/acme/${error}`);
    expect([plain.status, plain.text]).toEqual([status, words]);
    expect(plain.headers['content-type']).toMatch(/^text\/plain/);
    const json = await ask(`/svc/auth/acme/${error}`);
    expect([json.status, json.json()]).toEqual([status, { error: words }]);
  });

  it.each([
    ['gateway', 502, 'bad gateway'],
    ['failure', 500, 'internal error'],
    ['bug', 500, 'internal error'],
  ])('tells nothing from 500 on but the request: %s', async (error, status, words) => {
    const { headers, text, ...answer } = await ask(`/acme/${error}`);
    expect(answer.status).toBe(status);
    expect(text).toBe(`${words} (request ${String(headers['x-request-id'])})`);
    const json = await ask(`/svc/auth/acme/${error}`);
    const said = `${words} (request ${String(json.headers['x-request-id'])})`;
    expect([json.status, json.json()]).toEqual([status, { error: said }]);
    expect(json.headers['cache-control']).toBe('no-store');
  });

  it('answers an unknown path with the plain 404', async () => {
    const answer = await ask('/acme/text/further');
    expect([answer.status, answer.text]).toEqual([404, 'not found']);
  });

  it('an answer that was begun is cut off without a message', async () => {
    let text = '';
    let complete: boolean | undefined;
    get({ port, path: '/broken/off', headers: { host: `localhost:${port}` } }, (answer) => {
      answer.on('data', (chunk: Buffer) => (text += chunk.toString()));
      answer.on('error', () => undefined).on('close', () => ({ complete } = answer));
    }).on('error', () => (complete = false));
    await eventually(() => expect(complete).toBe(false));
    expect('half of '.startsWith(text)).toBe(true);
  });
});
