import { context, propagation, type Span, trace } from '@opentelemetry/api';
import {
  InMemorySpanExporter,
  NodeTracerProvider,
  SimpleSpanProcessor,
} from '@opentelemetry/sdk-trace-node';
import express from 'express';
import request from 'supertest';
import { eventually } from '#libs/platform/testing';
import { requestLog } from '../logging/request-log.middleware.js';
import { ServiceLogger } from '../logging/service.logger.js';
import { requestTracer } from './request-span.js';

const ID = '4bf92f3577b34da6a3ce929d0e0e4736';
const PARENT = '00f067aa0ba902b7';

describe('the span of a request with the provider of a team', () => {
  const ended = new InMemorySpanExporter();
  let lines: string[];
  /** The span of an HTTP instrumentation. */
  let outer: Span | undefined;

  beforeAll(() => {
    new NodeTracerProvider({ spanProcessors: [new SimpleSpanProcessor(ended)] }).register();
  });
  beforeEach(() => {
    ended.reset();
    [lines, outer] = [[], undefined];
  });
  afterAll(() => {
    for (const api of [trace, context, propagation]) api.disable();
  });

  async function ask(trusted: string, flags: string) {
    const app = express().set('trust proxy', [trusted]);
    app.use((_request, _response, next) => {
      const active = context.active();
      context.with(outer ? trace.setSpan(active, outer) : active, next);
    });
    const logger = new ServiceLogger('info', { write: (line) => void lines.push(line) });
    app.use(requestLog(logger, requestTracer(false)));
    await request(app).get('/').set('traceparent', `00-${ID}-${PARENT}-${flags}`);
    await eventually(() => expect([lines.length, ended.getFinishedSpans().length]).toEqual([1, 1]));
    const [span] = ended.getFinishedSpans();
    if (!span) throw new Error('none');
    const { traceId } = JSON.parse(lines[0] ?? '') as { traceId: string };
    expect(traceId).toBe(span.spanContext().traceId);
    return { traceId, parent: span.parentSpanContext?.spanId, links: span.links };
  }

  it('is a part of the trace that a trusted proxy sent', async () => {
    expect(await ask('127.0.0.1', '01')).toEqual({ traceId: ID, parent: PARENT, links: [] });
  });

  it('begins a trace of its own for an untrusted peer, linked to the trace which that sent', async () => {
    const { traceId, parent, links } = await ask('127.0.0.2', '00');
    expect([traceId === ID, parent]).toEqual([false, undefined]);
    expect(links).toEqual([
      expect.objectContaining({ context: expect.objectContaining({ traceId: ID }) as unknown }),
    ]);
  });

  it('is below the one that an instrumentation of HTTP began', async () => {
    outer = trace.getTracer('http').startSpan('outer');
    const { traceId, spanId } = outer.spanContext();
    expect(await ask('127.0.0.2', '01')).toEqual({ traceId, parent: spanId, links: [] });
  });
});
