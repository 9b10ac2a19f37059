import { HttpCode, Options, Post, Req, Res } from '@nestjs/common';
import type { Request, Response } from 'express';
import { ownOriginOf, SecurityEventsService } from '#libs/accounts';
import { OAUTH_PATHS, OAuthController } from '../oauth-endpoints.js';
import { RegistrationsService } from './registration.service.js';

/** Dynamic client registration (RFC 7591 §3), open to every caller. */
@OAuthController()
export class RegistrationController {
  constructor(
    private readonly registrations: RegistrationsService,
    private readonly events: SecurityEventsService,
  ) {}

  @Post(OAUTH_PATHS.register)
  async register(@Req() request: Request, @Res() response: Response) {
    const { origin } = ownOriginOf(request);
    const client = await this.registrations.register(origin, request);
    const clientId = String(client['client_id']);
    this.events.emit({ type: 'client-registered', userId: null, clientId, origin });
    response.status(201).set('Pragma', 'no-cache').json(client);
  }

  /** The middleware for CORS has set the headers; the visitor limit counts it. */
  @Options(OAUTH_PATHS.register)
  @HttpCode(204)
  preflight() {}
}
