import express, { type ErrorRequestHandler, type RequestHandler } from 'express';
import supertest from 'supertest';
import { hasLongQuery, inOrder } from './express.adapter.js';

describe('middlewares in order', () => {
  let said: string[];
  const say =
    (word: string): RequestHandler =>
    (_request, _response, next) => {
      said.push(word);
      next();
    };

  const status = async (...steps: RequestHandler[]) => {
    said = [];
    const failed: ErrorRequestHandler = ({ status: failure }, _request, response, _next) =>
      void response.sendStatus(failure);
    const app = express().use(inOrder(...steps), say('behind'), failed);
    return (await supertest(app).get('/')).status;
  };
  const refuse: RequestHandler = (_request, _response, next) => next({ status: 418 });
  const fail: RequestHandler = () => {
    throw Object.assign(new Error('failed'), { status: 409 });
  };
  const answer: RequestHandler = (_request, response) => void response.sendStatus(200);

  it('go on to what comes behind them', async () => {
    expect(await status(say('one'), say('two'))).toBe(404);
    expect(said).toEqual(['one', 'two', 'behind']);
  });

  it.each([
    ['is passed on', refuse, 418],
    ['is thrown', fail, 409],
    ['is an answer', answer, 200],
  ])('end with what %s', async (_what, step, expected) => {
    expect(await status(say('one'), step, say('two'))).toBe(expected);
    expect(said).toEqual(['one']);
  });
});

const numbered = (count: number) => Array.from({ length: count }, (_, n) => `p${n}=${n}`).join('&');

describe('a query', () => {
  it.each([
    ['no query', '/path&'.repeat(100)],
    ['64 parameters', `/?${numbered(64)}`],
    ['64 with nothing around them', `/?&&${numbered(64)}&&`],
    ['one with a long value', `/?p=${'?x='.repeat(5_000)}`],
  ])('is not long: %s', (_what, target) => {
    expect(hasLongQuery(target)).toBe(false);
  });

  it.each([
    ['65', numbered(65)],
    ['65 of one name', 'p=1&'.repeat(65)],
    ['65 without values', 'p&'.repeat(65)],
    ['65 without names', '=&'.repeat(65)],
    ['as many as fit into a request', 'p&'.repeat(8_000)],
  ])('is long: %s', (_what, query) => {
    expect(hasLongQuery(`/svc/auth/me?${query}`)).toBe(true);
  });
});
