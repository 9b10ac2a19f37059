import { All, Controller, Req, Res, UseFilters, UseGuards } from '@nestjs/common';
import type { Request, Response } from 'express';
import { ownOriginOf, VisitorGuard } from '#libs/accounts';
import { isOwnResource, resourceOf } from '../grant/grant.js';
import {
  invalidRequest,
  OAUTH_PATHS,
  OAuthError,
  OAuthErrorFilter,
  PostOnlyGuard,
  readOAuthForm,
} from '../oauth-endpoints.js';
import { TokensService } from './token.service.js';

/**
 * The parameters of a token or revocation request. Empty parameters count as absent and repeated ones
 * are refused (OAuth 2.1 §3.2). A resource that is not ours is refused here because the library would
 * use up the code or refresh token first. Throws OAuthError 400.
 */
export function parseTokenRequest(form: URLSearchParams, origin: string): URLSearchParams {
  const request = new URLSearchParams();
  for (const [name, value] of form) {
    if (value === '') continue;
    if (name === 'resource') expectOwnResource(value, origin);
    else if (request.has(name)) throw invalidRequest('a parameter is given twice');
    else request.append(name, value);
  }
  if (form.get('resource')) request.set('resource', resourceOf(origin));
  return request;
}

function expectOwnResource(indicator: string, origin: string) {
  if (isOwnResource(indicator, origin)) return;
  throw new OAuthError(400, 'invalid_target', `the only resource here is ${resourceOf(origin)}`);
}

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
