import { Injectable } from '@nestjs/common';
import type { Request } from 'express';
import { isInPassing, visitorOf } from '#libs/accounts';
import type { ClientMetadata } from '../clients/client-metadata.js';
import { RegistrationBudget } from '../clients/registrations/registration-budget.js';
import { storedBytes } from '../clients/registrations/stored-bytes.js';
import { UntriedRegistrationsService } from '../clients/registrations/untried-registrations.service.js';
import { OAuthError } from '../oauth-endpoints.js';

/** Bounds the database space of unauthenticated registrations: per visitor and day, and in total. */
@Injectable()
export class RegistrationRoomService {
  constructor(
    private readonly budget: RegistrationBudget,
    private readonly untried: UntriedRegistrationsService,
  ) {}

  /** Reserves space for a registration. Throws OAuthError 429 when the visitor's daily budget is spent. */
  async take(request: Request, metadata: ClientMetadata): Promise<void> {
    const bytes = storedBytes(metadata);
    const waitMs = await this.spend(request, bytes);
    if (waitMs > 0) throw spent(Math.ceil(waitMs / 1000));
    await this.untried.makeRoom(bytes);
  }

  /** Any page can make a visitor's browser register clients, so foreign pages get half of the visitor's budget. */
  private async spend(request: Request, bytes: number): Promise<number> {
    const { network } = visitorOf(request);
    if (isInPassing(request.headers)) {
      const waitMs = await this.budget.spend(`${network}:passing`, 2 * bytes);
      if (waitMs > 0) return waitMs;
    }
    return this.budget.spend(network, bytes);
  }
}

function spent(waitSeconds: number) {
  const hours = Math.ceil(waitSeconds / 3600);
  return new OAuthError(
    429,
    'temporarily_unavailable',
    `too much was registered from your network today; try again in ${hours} h`,
    { 'Retry-After': String(waitSeconds) },
  );
}
