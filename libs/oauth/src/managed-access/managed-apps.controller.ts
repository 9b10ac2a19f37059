import { Controller, Get, UseGuards } from '@nestjs/common';
import {
  AllowRoutedMethods,
  CurrentUser,
  ErrorFormat,
  SignedInGuard,
  type User,
} from '#libs/accounts';
import { CONNECTED_APPS } from '../grant/connected-apps.controller.js';
import { GrantStore } from '../grant/grant.store.js';

/** Which connected apps of the signed-in user trusted issuers decide about; only where there are such issuers. */
@Controller()
@AllowRoutedMethods()
@UseGuards(SignedInGuard)
@ErrorFormat(CONNECTED_APPS)
export class ManagedAppsController {
  constructor(private readonly grants: GrantStore) {}

  /** Ids as in the list of connected apps, whose record has no further member. */
  @Get('/svc/me/managed-apps')
  async list(@CurrentUser() { id: userId }: User) {
    const grants = await this.grants.listOf(userId);
    return {
      apps: grants.flatMap(({ id, managedBy }) => (managedBy === null ? [] : [{ id, managedBy }])),
    };
  }
}
