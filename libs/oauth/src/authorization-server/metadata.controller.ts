import { All, Controller, Inject, Req, Res } from '@nestjs/common';
import type { Request, Response } from 'express';
import { RefusalError, ownOriginOf } from '#libs/accounts';
import { OAUTH_OPTIONS, type OAuthOptions } from '../oauth.module-definition.js';
import { authorizationServerMetadata } from './authorization-server-metadata.js';

/** Authorization server metadata (RFC 8414 §3): our own document, not the library's. */
@Controller()
export class MetadataController {
  constructor(@Inject(OAUTH_OPTIONS) private readonly options: OAuthOptions) {}

  @All('.well-known/oauth-authorization-server')
  metadata(@Req() request: Request, @Res() response: Response) {
    if (request.method !== 'GET' && request.method !== 'HEAD') {
      throw new RefusalError(405, 'this address takes GET only', { Allow: 'GET, HEAD, OPTIONS' });
    }
    const scopes = this.options.scopes.map(({ name }) => name);
    response.json(authorizationServerMetadata(ownOriginOf(request).origin, scopes));
  }
}
