import { isJsonContentType } from '@modelcontextprotocol/server';
import { All, Controller, Req, Res, UseFilters, UseGuards } from '@nestjs/common';
import type { Request, Response } from 'express';
import { AllowedMethods, ownOriginOf, readBytes, RefusalError } from '#libs/accounts';
import { AccountTurns, onExchangeEnd } from '#libs/platform';
import { BearerErrorFilter } from '../protected-resource/bearer-error.filter.js';
import { accessGrantOf, BearerGuard } from '../protected-resource/bearer.guard.js';
import { AccountCalls } from './account-calls.js';
import { EventStream } from './event-stream.js';
import { JsonRpcErrorFilter } from './json-rpc-error.filter.js';
import { McpEndpointService } from './mcp-endpoint.service.js';
import { MAX_BODY_BYTES } from './posted-body.js';

/**
 * The hosted MCP endpoint. Every request needs a token, whatever its method; then only POST remains,
 * since there are no sessions to stream or to end.
 *
 * A foreign `Origin` is welcome: DNS rebinding borrows what a browser sends by itself, and here that
 * is nothing, for a page must hold the token to send it, and `Host` was checked before.
 */
@Controller()
@UseGuards(BearerGuard)
@UseFilters(BearerErrorFilter, JsonRpcErrorFilter)
export class McpController {
  constructor(
    private readonly endpoint: McpEndpointService,
    private readonly calls: AccountCalls,
    private readonly turns: AccountTurns,
  ) {}

  @All(['svc/mcp', 'svc/mcp/{*path}'])
  @AllowedMethods(['POST', 'OPTIONS'])
  async exchange(@Req() request: Request, @Res() response: Response): Promise<void> {
    const grant = accessGrantOf(request);
    await this.turns.take(grant.user.id);
    const call = this.calls.begin(grant.user.id);
    onExchangeEnd(response, () => call.end());
    if (!isJsonContentType(request.headers['content-type'] ?? null)) {
      throw new RefusalError(415, 'the body has to be application/json');
    }
    const answer = await this.endpoint.answer({
      headers: request.headers,
      acceptsJson: () => request.accepts('application/json') !== false,
      readBody: () => readBytes(request, MAX_BODY_BYTES, request.headers['content-length']),
      grant,
      origin: ownOriginOf(request).origin,
      call,
      stream: new EventStream(response),
      acceptsEvents: request.headers.accept?.includes('text/event-stream') ?? false,
      onEnd: (end) => onExchangeEnd(response, end),
    });
    if (!answer) return;
    if (answer.type !== undefined) response.setHeader('Content-Type', answer.type);
    // A text goes out with its head in one piece, bytes would not.
    response.status(answer.status).end(answer.text);
  }
}
