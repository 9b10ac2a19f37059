import { isJsonContentType } from '@modelcontextprotocol/server';
import { All, Controller, Req, Res, UseFilters, UseGuards } from '@nestjs/common';
import type { Request, Response } from 'express';
import { AllowedMethods, readBytes, RefusalError } from '#libs/accounts';
import { BearerErrorFilter } from '../protected-resource/bearer-error.filter.js';
import { accessGrantOf, BearerGuard } from '../protected-resource/bearer.guard.js';
import { McpEndpointService } from './mcp-endpoint.service.js';
import { sendWebResponse, toWebRequest } from './web-exchange.adapter.js';

const MAX_BODY_BYTES = 1024 * 1024;

/**
 * The hosted MCP endpoint. Every request needs a token, whatever its method; then only POST remains,
 * since there are no sessions to stream or to end.
 *
 * A foreign `Origin` is welcome: DNS rebinding borrows what a browser sends by itself, and here that
 * is nothing, for a page must hold the token to send it, and `Host` was checked before.
 */
@Controller()
@UseGuards(BearerGuard)
@UseFilters(BearerErrorFilter)
export class McpController {
  constructor(private readonly endpoint: McpEndpointService) {}

  @All(['svc/mcp', 'svc/mcp/{*path}'])
  @AllowedMethods(['POST', 'OPTIONS'])
  async exchange(@Req() request: Request, @Res() response: Response): Promise<void> {
    if (!isJsonContentType(request.headers['content-type'] ?? null)) {
      throw new RefusalError(415, 'the body has to be application/json');
    }
    const bytes = await readBytes(request, MAX_BODY_BYTES, request.headers['content-length']);
    const message = toWebRequest(request, response);
    const answer = await this.endpoint.answer(message, bytes, accessGrantOf(request));
    await sendWebResponse(answer, response);
  }
}
