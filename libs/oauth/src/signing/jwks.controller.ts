import { Controller, Get, Res } from '@nestjs/common';
import type { Response } from 'express';
import { AllowRoutedMethods } from '#libs/accounts';
import { OAUTH_PATHS } from '../oauth-endpoints.js';
import { publicJwk } from './signing-key.js';
import { SigningKeysService } from './signing-keys.service.js';

/** The public keys of access tokens that are JWTs, the same for every origin; only where keys are configured. */
@Controller()
@AllowRoutedMethods({ also: ['HEAD', 'OPTIONS'] })
export class JwksController {
  constructor(private readonly keys: SigningKeysService) {}

  /** A key set (RFC 7517 §5). May be kept for five minutes: a key is in it long before it signs. */
  @Get(OAUTH_PATHS.jwks)
  jwks(@Res() response: Response) {
    response.set('Cache-Control', 'public, max-age=300');
    response.json({ keys: this.keys.published().map(publicJwk) });
  }
}
