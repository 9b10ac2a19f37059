import { All, Controller, Req, Res, UseFilters, UseGuards } from '@nestjs/common';
import type { Request, Response } from 'express';
import { ownOriginOf, VisitorGuard } from '#libs/accounts';
import { OAUTH_PATHS, OAuthErrorFilter, PostOnlyGuard, readOAuthForm } from '../oauth-endpoints.js';
import { parseTokenRequest } from './token-request.js';
import { TokensService } from './tokens.service.js';

/** The token endpoint (RFC 6749 §3.2), where tokens may also be revoked (RFC 7009). */
@Controller()
@UseGuards(VisitorGuard, PostOnlyGuard)
@UseFilters(OAuthErrorFilter)
export class TokenController {
  constructor(private readonly tokens: TokensService) {}

  @All(OAUTH_PATHS.token)
  async token(@Req() request: Request, @Res() response: Response) {
    await this.handle(OAUTH_PATHS.token, request, response);
  }

  @All(OAUTH_PATHS.revoke)
  async revoke(@Req() request: Request, @Res() response: Response) {
    await this.handle(OAUTH_PATHS.revoke, request, response);
  }

  private async handle(path: string, request: Request, response: Response) {
    if (request.method === 'OPTIONS') return void response.status(204).end();
    const { origin } = ownOriginOf(request);
    const { authorization } = request.headers;
    const form = parseTokenRequest(await readOAuthForm(request), origin);
    const revokes = path === OAUTH_PATHS.revoke || (!form.has('grant_type') && form.has('token'));
    response.set('Pragma', 'no-cache');
    if (revokes) {
      await this.tokens.revoke(origin, form, authorization);
      response.json({});
    } else {
      const issued = await this.tokens.issue(origin, form, authorization);
      response.locals['grantType'] = form.get('grant_type');
      response.json(issued);
    }
  }
}
