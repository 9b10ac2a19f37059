import { All, Controller, Req, Res, UseFilters, UseGuards } from '@nestjs/common';
import type { Request, Response } from 'express';
import { ownOriginOf, SecurityEventsService, VisitorGuard } from '#libs/accounts';
import { OAUTH_PATHS, OAuthErrorFilter, PostOnlyGuard } from '../oauth-endpoints.js';
import { RegistrationSwitchGuard } from './registration-switch.guard.js';
import { RegistrationsService } from './registrations.service.js';

/** Dynamic client registration (RFC 7591 §3), open to every caller unless it is switched off. */
@Controller()
@UseGuards(VisitorGuard, RegistrationSwitchGuard, PostOnlyGuard)
@UseFilters(OAuthErrorFilter)
export class RegistrationController {
  constructor(
    private readonly registrations: RegistrationsService,
    private readonly events: SecurityEventsService,
  ) {}

  @All(OAUTH_PATHS.register)
  async register(@Req() request: Request, @Res() response: Response) {
    if (request.method === 'OPTIONS') return void response.status(204).end();
    const { origin } = ownOriginOf(request);
    const client = await this.registrations.register(origin, request);
    const clientId = String(client['client_id']);
    this.events.emit({ type: 'client-registered', userId: null, clientId, origin });
    response.status(201).set('Pragma', 'no-cache').json(client);
  }
}
