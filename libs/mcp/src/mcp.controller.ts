import { isJsonContentType } from '@modelcontextprotocol/server';
import { All, Controller, Req, Res, UseFilters, UseGuards } from '@nestjs/common';
import type { Request, Response } from 'express';
import { AllowedMethods, ownOriginOf, readBytes, RefusalError } from '#libs/accounts';
import { AccountTurns, onExchangeEnd } from '#libs/platform';
import { accessGrantOf, BearerErrorFilter, BearerGuard } from '#libs/oauth';
import { AccountCalls } from './call-limit.js';
import { EventStream } from './answer.js';
import { JsonRpcErrorFilter } from './errors.js';
import { McpEndpointService } from './mcp-endpoint.service.js';
import { MAX_BODY_BYTES } from './message.js';

/**
 * The hosted MCP endpoint. Requests of every method need a token; with one, only POST is allowed, since
 * there are no sessions to stream or to end.
 *
 * A foreign `Origin` is allowed: DNS rebinding exploits credentials that a browser sends by itself, and
 * here there are none. A page needs the token to send it, and `Host` was checked before.
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
    // Node sends headers and a string body in one write, but a Buffer in a second one.
    response.status(answer.status).end(answer.text);
  }
}
