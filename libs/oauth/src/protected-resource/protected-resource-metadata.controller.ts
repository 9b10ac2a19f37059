import { All, Controller, Inject, Req, Res } from '@nestjs/common';
import type { Request, Response } from 'express';
import { RefusalError, ownOriginOf } from '#libs/accounts';
import { OAUTH_OPTIONS, type OAuthOptions } from '../oauth.module-definition.js';
import { protectedResourceMetadata } from './protected-resource.js';

/** Where a client that was refused learns who gives tokens (RFC 9728 §3). */
@Controller()
export class ProtectedResourceMetadataController {
  constructor(@Inject(OAUTH_OPTIONS) private readonly options: OAuthOptions) {}

  @All('.well-known/oauth-protected-resource/svc/mcp')
  metadata(@Req() request: Request, @Res() response: Response) {
    if (request.method !== 'GET' && request.method !== 'HEAD') {
      throw new RefusalError(405, 'this address takes GET only', { Allow: 'GET, HEAD, OPTIONS' });
    }
    const { serviceName, scopes } = this.options;
    const { origin } = ownOriginOf(request);
    response.json(protectedResourceMetadata(origin, serviceName, scopes));
  }
}
