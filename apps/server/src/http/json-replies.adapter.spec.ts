import { ExpressAdapter } from '@nestjs/platform-express';
import express, { type Response } from 'express';
import request from 'supertest';
import { JsonRepliesAdapter } from './json-replies.adapter.js';

interface Reply {
  readonly body?: unknown;
  readonly status?: number;
  readonly headers?: Record<string, string>;
  readonly method?: string;
}

const LONG_AGO = 'Thu, 01 Jan 1998 00:00:00 GMT';
const CREATED = new Date(0);

const REPLIES: readonly (readonly [string, Reply])[] = [
  ['an object', { body: { user: null, budget: { used: 1 } } }],
  ['an object with a status', { body: { a: 1 }, status: 200 }],
  ['any characters', { body: { name: 'Ünï \u2028 \ud800 ☃ </script>' } }],
  ['what JSON has no word for', { body: { at: CREATED, none: undefined, nan: Number.NaN } }],
  ['an object that was created', { body: { a: 1 }, status: 201 }],
  ['an object where nothing is', { body: { a: 1 }, status: 204 }],
  ['a refusal', { body: { error: 'no' }, status: 400 }],
  ['a HEAD', { body: { a: 1 }, method: 'HEAD' }],
  ['a type of its own', { body: { a: 1 }, headers: { 'Content-Type': 'application/ld+json' } }],
  ['what the client has', { body: { a: 1 }, headers: { 'Last-Modified': LONG_AGO } }],
  ['a list', { body: [1, { a: 2 }] }],
  ['an object of a class', { body: new Map([[1, 2]]) }],
  ['an error', { body: new Error('no'), status: 500 }],
  ['a text', { body: 'text' }],
  ['a number', { body: 7 }],
  ['nothing', { body: undefined }],
];

describe('what a handler returns', () => {
  async function answerOf(adapter: ExpressAdapter, { body, status, headers, method }: Reply) {
    const reply = (response: Response) => adapter.reply(response.set(headers ?? {}), body, status);
    const app = express().disable('etag');
    app.use((_request, response) => void reply(response));
    const sent = method === 'HEAD' ? request(app).head('/') : request(app).get('/');
    const answer = await sent.set('if-modified-since', LONG_AGO);
    return { status: answer.status, text: answer.text, headers: { ...answer.headers, date: '' } };
  }

  it.each(REPLIES)('is answered as by Express: %s', async (_what, reply) => {
    const expected = await answerOf(new ExpressAdapter(express()), reply);
    expect(await answerOf(new JsonRepliesAdapter(express()), reply)).toEqual(expected);
  });
});
