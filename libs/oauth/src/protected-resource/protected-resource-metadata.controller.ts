import { All, Controller, Inject, Req, Res } from '@nestjs/common';
import type { Request, Response } from 'express';
import { AllowedMethods, ownOriginOf } from '#libs/accounts';
import { OAUTH_OPTIONS, type OAuthOptions } from '../oauth.module-definition.js';
import { protectedResourceMetadata } from './protected-resource.js';

/** Tells a client that was refused which authorization server issues tokens (RFC 9728 §3). */
@Controller()
export class ProtectedResourceMetadataController {
  constructor(@Inject(OAUTH_OPTIONS) private readonly options: OAuthOptions) {}

  @All('.well-known/oauth-protected-resource/svc/mcp')
  @AllowedMethods(['GET', 'HEAD', 'OPTIONS'])
  metadata(@Req() request: Request, @Res() response: Response) {
    const { serviceName, scopes } = this.options;
    const { origin } = ownOriginOf(request);
    response.json(protectedResourceMetadata(origin, serviceName, scopes));
  }
}
