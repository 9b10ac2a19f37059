import type { ServerResponse } from 'node:http';
import { HttpCode, Options, Post, Req, Res } from '@nestjs/common';
import type { Request, Response } from 'express';
import { ownOriginOf, setLogCaller } from '#libs/accounts';
import { RequestMember } from '#libs/platform';
import { OAUTH_PATHS, OAuthController, readOAuthForm } from '../oauth-endpoints.js';
import { invalidRequest, OAuthError } from '../oauth-error.js';
import { type Resource, ResourcesService } from '../resource/resource.js';
import { BETWEEN_SCOPES, scopeNames, scopeWords } from '../scope.js';
import { TokenService } from './token.service.js';

const grantTypes = new RequestMember<string | null>();

/** The `grant_type` of the request that a token response answers; undefined for any other response. */
export const grantTypeOf = (response: ServerResponse) => grantTypes.get(response);

/** The token endpoint (RFC 6749 §3.2), also for revocation (RFC 7009): 429, 405, the form, then TokenService. */
@OAuthController()
export class TokenController {
  constructor(
    private readonly resources: ResourcesService,
    private readonly tokens: TokenService,
  ) {}

  /** Contract: Token endpoint, Refresh. */
  @Post(OAUTH_PATHS.token)
  @HttpCode(200)
  async token(@Req() request: Request, @Res() response: Response) {
    const tokenRequest = await readTokenRequest(request, this.resources);
    const { form } = tokenRequest;
    response.set('Pragma', 'no-cache');
    if (!form.has('grant_type') && form.has('token')) {
      await this.tokens.revoke(tokenRequest);
      return void response.json({});
    }
    const issued = await this.tokens.issue(tokenRequest);
    setLogCaller(request, { client: form.get('client_id') ?? undefined });
    grantTypes.set(response, form.get('grant_type'));
    response.json(issued);
  }

  /** Contract: Revocation. */
  @Post(OAUTH_PATHS.revoke)
  @HttpCode(200)
  async revoke(@Req() request: Request, @Res() response: Response) {
    const tokenRequest = await readTokenRequest(request, this.resources);
    response.set('Pragma', 'no-cache');
    await this.tokens.revoke(tokenRequest);
    response.json({});
  }

  /** The middleware for CORS has set the headers; the visitor limit counts it. */
  @Options([OAUTH_PATHS.token, OAUTH_PATHS.revoke])
  @HttpCode(204)
  preflight() {}
}

/** The parameters that the endpoint reads. The names of others are not repeated in a refusal. */
const PARAMETERS = new Set([
  'grant_type',
  'code',
  'code_verifier',
  'redirect_uri',
  'refresh_token',
  'scope',
  'token',
  'token_type_hint',
  'assertion',
  'client_id',
  'client_secret',
  'client_assertion',
  'client_assertion_type',
]);

/** A request can be complete without these. */
const OPTIONAL = new Set(['client_id', 'redirect_uri', 'scope', 'token_type_hint']);

/**
 * Reads a request: trims names and values, ignores empty parameters and refuses repeated ones (OAuth 2.1 §3.2) except
 * an equal client_id or resource (RFC 8707 §2). A resource that is not ours is refused here: the library would use up
 * the code or refresh token first. Throws OAuthError 400 and 413.
 */
async function readTokenRequest(request: Request, resources: ResourcesService) {
  const { origin } = ownOriginOf(request);
  const { authorization } = request.headers;
  const form = new URLSearchParams();
  const read = new Set<string>();
  for (const [name, value] of trimmed(await readOAuthForm(request))) {
    if (value === '' || (name === 'resource' && read.has(value))) continue;
    if (name !== 'resource') {
      if (name === 'client_id' && form.get(name) === value) continue;
      if (form.has(name)) {
        throw invalidRequest(`${PARAMETERS.has(name) ? name : 'a parameter'} is given twice`);
      }
      form.append(name, value);
      continue;
    }
    read.add(value);
    const found = resources.find(origin, value);
    if (!found) throw unknownResource(resources.all(origin));
    const other = form.get('resource');
    if (other !== null && other !== found.resource) {
      throw invalidTarget('a token is for one resource, but the request names two');
    }
    form.set('resource', found.resource);
  }
  expectNothingInQuery(request, form);
  cleanScope(form, origin, resources);
  return { origin, form, authorization, isBasic: authorization !== undefined };
}

/** Throws OAuthError 400 for JSON that is called a form. */
function trimmed(form: URLSearchParams) {
  const parameters = Array.from(form, ([name, value]) => [name.trim(), value.trim()] as const);
  if (parameters[0]?.[0].startsWith('{')) {
    throw invalidRequest('parameters belong into the form-encoded body, not into JSON');
  }
  return parameters;
}

/** The query is ignored, unless it has what the body lacks. */
function expectNothingInQuery({ originalUrl, headers }: Request, form: URLSearchParams) {
  if (!originalUrl.includes('?')) return;
  const query = new URLSearchParams(originalUrl.split('?')[1]);
  const isMissing = (name: string) =>
    PARAMETERS.has(name) &&
    !form.has(name) &&
    (!OPTIONAL.has(name) || (name === 'client_id' && headers.authorization === undefined));
  if ([...query.keys()].some(isMissing)) {
    throw invalidRequest('parameters belong into the form-encoded body, not into the query');
  }
}

/**
 * A refresh ignores scopes that no longer exist, since clients repeat those of their first request; if none is left, it
 * has no scope. It also splits at commas and line breaks: otherwise a client that asks for less would get all scopes.
 */
function cleanScope(form: URLSearchParams, origin: string, resources: ResourcesService) {
  const isRefresh = form.get('grant_type') === 'refresh_token';
  const existing = isRefresh ? scopeNames(resources.scopesOf(origin)) : undefined;
  const requested = scopeWords(form.get('scope') ?? '', isRefresh ? BETWEEN_SCOPES : ' ');
  const words = requested.filter((word) => existing?.includes(word) ?? true);
  if (words.length > 0) form.set('scope', words.join(' '));
  else form.delete('scope');
}

const invalidTarget = (description: string) => new OAuthError(400, 'invalid_target', description);

const unknownResource = ([only, ...others]: readonly [Resource, ...Resource[]]) =>
  invalidTarget(
    others.length === 0
      ? `the only resource here is ${only.resource}`
      : 'that is no resource of this server, whose metadata lists them',
  );
