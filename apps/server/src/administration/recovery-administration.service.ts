import { Inject, Injectable } from '@nestjs/common';
import {
  RecoveryLinksService,
  RefusalError,
  SecurityEventsService,
  UserDirectoryService,
} from '#libs/accounts';
import {
  ADMINISTRATION_OPTIONS,
  type AdministrationOptions,
} from './administration.module-definition.js';

/** Lets people in again who have neither passkey nor code, as UsersAdministrationService has accounts. */
@Injectable()
export class RecoveryAdministrationService {
  constructor(
    @Inject(ADMINISTRATION_OPTIONS) private readonly options: AdministrationOptions,
    private readonly users: UserDirectoryService,
    private readonly links: RecoveryLinksService,
    private readonly events: SecurityEventsService,
  ) {}

  /**
   * A link that is good once, within 24 hours, and is told this once; an older one is good no more.
   * Throws RefusalError 409 for a disabled account.
   */
  async createLink(user: string, origin: string | undefined, actor: string) {
    const link = await this.links.create(user, origin ?? this.options.recoveryOrigin);
    if (link === undefined) {
      await this.users.get(user);
      throw new RefusalError(409, 'this account is disabled; enable it first');
    }
    this.events.emit({ type: 'recovery-link-created', userId: user, origin: '', actor });
    return { user, link };
  }
}
