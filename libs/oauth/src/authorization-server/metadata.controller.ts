import { All, Controller, Inject, Req, Res } from '@nestjs/common';
import type { Request, Response } from 'express';
import { AllowedMethods, ownOriginOf } from '#libs/accounts';
import { OAUTH_OPTIONS, type OAuthOptions } from '../oauth.module-definition.js';
import { authorizationServerMetadata } from './authorization-server-metadata.js';

/** Authorization server metadata (RFC 8414 §3): our own document, not the library's. */
@Controller()
export class MetadataController {
  constructor(@Inject(OAUTH_OPTIONS) private readonly options: OAuthOptions) {}

  @All('.well-known/oauth-authorization-server')
  @AllowedMethods(['GET', 'HEAD', 'OPTIONS'])
  metadata(@Req() request: Request, @Res() response: Response) {
    response.json(authorizationServerMetadata(ownOriginOf(request).origin, this.options));
  }
}
