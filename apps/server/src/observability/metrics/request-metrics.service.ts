import type { Server } from 'node:http';
import { Injectable, type OnModuleInit } from '@nestjs/common';
import { HttpAdapterHost } from '@nestjs/core';
import type { Request, Response } from 'express';
import { grantTypeOf } from '#libs/oauth';
import { onExchangeEnd } from '#libs/platform';
import { Counter, Histogram, Registry } from '../prometheus.js';
import { areaOf, ceremonyOf, grantTypeLabel, methodLabel, routeLabel } from './request-labels.js';

const SECONDS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];

const TOKEN_PATH = '/svc/oauth/token';

/** Counts every request when its answer is over, by the pattern it matched and its outcome. */
@Injectable()
export class RequestMetricsService implements OnModuleInit {
  private readonly durations: Histogram<'method' | 'route' | 'status'>;
  private readonly refusals: Counter<'area' | 'status'>;
  private readonly rateLimited: Counter<'area'>;
  private readonly ceremonies: Counter<'kind' | 'outcome'>;
  private readonly tokens: Counter<'grant_type'>;

  constructor(
    registry: Registry,
    private readonly host: HttpAdapterHost,
  ) {
    const registers = [registry];
    this.durations = new Histogram({
      name: 'gatehouse_http_request_duration_seconds',
      help: 'From the head of a request to the end of its answer',
      labelNames: ['method', 'route', 'status'],
      buckets: SECONDS,
      registers,
    });
    this.refusals = new Counter({
      name: 'gatehouse_refusals_total',
      help: 'Answers of 400 and above',
      labelNames: ['area', 'status'],
      registers,
    });
    this.rateLimited = new Counter({
      name: 'gatehouse_rate_limited_total',
      help: 'Requests beyond the limit of their visitor',
      labelNames: ['area'],
      registers,
    });
    this.ceremonies = new Counter({
      name: 'gatehouse_ceremonies_total',
      help: 'Steps of passkey ceremonies',
      labelNames: ['kind', 'outcome'],
      registers,
    });
    this.tokens = new Counter({
      name: 'gatehouse_token_responses_total',
      help: 'Token responses that were given out',
      labelNames: ['grant_type'],
      registers,
    });
  }

  onModuleInit() {
    const server = this.host.httpAdapter.getHttpServer() as Server;
    server.prependListener('request', (request, response) => {
      const startedAt = performance.now();
      onExchangeEnd(response, () => {
        const seconds = (performance.now() - startedAt) / 1000;
        this.count(request as Request, response as Response, seconds);
      });
    });
  }

  private count(request: Request, response: Response, seconds: number) {
    const { method, url = '' } = request;
    const { statusCode: status } = response;
    const [path = ''] = (request.originalUrl ?? url).split('?');
    const area = areaOf(path);
    const route = routeLabel(request);
    // The duration of an event stream is not observed: it lasts as long as there are events to send.
    if (response.getHeader('content-type') !== 'text/event-stream') {
      this.durations.observe({ method: methodLabel(method), route, status }, seconds);
    }
    if (status >= 400) this.refusals.inc({ area, status });
    if (status === 429) this.rateLimited.inc({ area });
    const ceremony = ceremonyOf(path, method, status);
    if (ceremony) this.ceremonies.inc(ceremony);
    const grantType = grantTypeOf(response);
    if (path === TOKEN_PATH && status === 200 && grantType !== undefined) {
      this.tokens.inc({ grant_type: grantTypeLabel(grantType) });
    }
  }
}
