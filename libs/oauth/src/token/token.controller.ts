import { All, Controller, Req, Res, UseFilters, UseGuards } from '@nestjs/common';
import type { Request, Response } from 'express';
import { ErrorFormat, ownOriginOf, VisitorGuard } from '#libs/accounts';
import {
  OAUTH_PATHS,
  oauthErrorBody,
  OAuthErrorFilter,
  PostOnlyGuard,
  readOAuthForm,
} from '../oauth-endpoints.js';
import { invalidRequest, OAuthError } from '../oauth-error.js';
import type { Resource } from '../resource/resource.js';
import { ResourcesService } from '../resource/resource.service.js';
import { TokensService } from './token.service.js';

/**
 * The token endpoint (RFC 6749 §3.2), where tokens may also be revoked (RFC 7009). Before the steps of a method come
 * the visitor limit (429), the method (405) and CORS.
 */
@Controller()
@UseGuards(VisitorGuard, PostOnlyGuard)
@UseFilters(OAuthErrorFilter)
@ErrorFormat({ bodyOf: oauthErrorBody })
export class TokenController {
  constructor(
    private readonly tokens: TokensService,
    private readonly resources: ResourcesService,
  ) {}

  /** Contract: Token endpoint, Refresh. */
  @All(OAUTH_PATHS.token)
  async token(@Req() request: Request, @Res() response: Response) {
    if (request.method === 'OPTIONS') return void response.status(204).end();
    const asked = await readTokenRequest(request, this.resources);
    const { form } = asked;
    response.set('Pragma', 'no-cache');
    if (!form.has('grant_type') && form.has('token')) {
      await this.tokens.revoke(asked);
      return void response.json({});
    }
    const issued = await this.tokens.issue(asked);
    response.locals['grantType'] = form.get('grant_type');
    response.json(issued);
  }

  /** Contract: Revocation. */
  @All(OAUTH_PATHS.revoke)
  async revoke(@Req() request: Request, @Res() response: Response) {
    if (request.method === 'OPTIONS') return void response.status(204).end();
    const asked = await readTokenRequest(request, this.resources);
    response.set('Pragma', 'no-cache');
    await this.tokens.revoke(asked);
    response.json({});
  }
}

/**
 * Reads a token or revocation request. Empty parameters count as absent and repeated ones are refused
 * (OAuth 2.1 §3.2). A resource that is not ours is refused here because the library would use up the code or
 * refresh token first; the same one may be given several times (RFC 8707 §2). Throws OAuthError 400 and 413.
 */
async function readTokenRequest(request: Request, resources: ResourcesService) {
  const { origin } = ownOriginOf(request);
  const { authorization } = request.headers;
  const form = new URLSearchParams();
  for (const [name, value] of await readOAuthForm(request)) {
    if (value === '') continue;
    if (name !== 'resource') {
      if (form.has(name)) throw invalidRequest('a parameter is given twice');
      form.append(name, value);
      continue;
    }
    const found = resources.find(origin, value);
    if (!found) throw unknownResource(resources.all(origin));
    const other = form.get('resource');
    if (other !== null && other !== found.resource) {
      throw invalidTarget('a token is for one resource, but the request names two');
    }
    form.set('resource', found.resource);
  }
  return { origin, form, authorization };
}

const invalidTarget = (description: string) => new OAuthError(400, 'invalid_target', description);

const unknownResource = ([only, ...others]: readonly [Resource, ...Resource[]]) =>
  invalidTarget(
    others.length === 0
      ? `the only resource here is ${only.resource}`
      : 'that is no resource of this server, whose metadata lists them',
  );
