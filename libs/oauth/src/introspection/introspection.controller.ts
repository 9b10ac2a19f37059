import { Controller, HttpCode, Post, Req, Res, UseFilters, UseGuards } from '@nestjs/common';
import type { Request, Response } from 'express';
import { AllowRoutedMethods, ErrorFormat, ownOriginOf } from '#libs/accounts';
import {
  OAUTH_PATHS,
  oauthErrorBody,
  OAuthErrorFilter,
  readOAuthForm,
} from '../oauth-endpoints.js';
import { invalidRequest } from '../oauth-error.js';
import { IntrospectionService } from './introspection.service.js';
import { ResourceServerGuard, servedResourceOf } from './resource-server.guard.js';

/** Where servers of further resources ask about tokens (RFC 7662); exists only where one may ask. */
@Controller()
@AllowRoutedMethods()
@UseFilters(OAuthErrorFilter)
@ErrorFormat({
  bodyOf: (failure) => (failure.status === 405 ? undefined : oauthErrorBody(failure)),
})
export class IntrospectionController {
  constructor(private readonly introspections: IntrospectionService) {}

  /** After the method (405) and the server's credentials (401, 429). */
  @Post(OAUTH_PATHS.introspect)
  @HttpCode(200)
  @UseGuards(ResourceServerGuard)
  async introspect(@Req() request: Request, @Res() response: Response) {
    // 1. The one token; a hint at its type changes nothing (§2.1).
    const [token, ...others] = (await readOAuthForm(request)).getAll('token');
    if (!token || others.length > 0) throw invalidRequest('the form needs one token');
    // 2. What it is to this resource server, within its limit (429).
    const { origin } = ownOriginOf(request);
    const answer = await this.introspections.introspect(token, servedResourceOf(request), origin);
    response.set('Pragma', 'no-cache').json(answer);
  }
}
