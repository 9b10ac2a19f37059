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

/** Recovery links for people who have neither a passkey nor a recovery code. */
@Injectable()
export class RecoveryAdministrationService {
  constructor(
    @Inject(ADMINISTRATION_OPTIONS) private readonly options: AdministrationOptions,
    private readonly users: UserDirectoryService,
    private readonly links: RecoveryLinksService,
    private readonly events: SecurityEventsService,
  ) {}

  /**
   * Creates a recovery link that works once, within 24 hours, and is shown this once; it replaces an older link.
   * Throws RefusalError 400 for an origin that is not a public one, and 409 for a disabled account.
   */
  async createLink(user: string, origin: string | undefined, actor: string) {
    const { port, publicOrigins } = this.options;
    const recoveryOrigin = publicOrigins?.[0] ?? `http://localhost:${port}`;
    if (origin !== undefined && publicOrigins?.includes(origin) === false) {
      const allowed = publicOrigins.join(', ');
      throw new RefusalError(400, `origin takes one of PUBLIC_ORIGINS: ${allowed}`);
    }
    const link = await this.links.create(user, origin ?? recoveryOrigin);
    if (link === undefined) {
      await this.users.get(user);
      throw new RefusalError(409, 'this account is disabled; enable it first');
    }
    this.events.emit({ type: 'recovery-link-created', userId: user, origin: '', actor });
    return { user, link };
  }

  /** Revokes the account's link; `revoked` is false when there was none. */
  async revokeLink(user: string, actor: string) {
    await this.users.get(user);
    const revoked = await this.links.revoke(user);
    if (revoked)
      this.events.emit({ type: 'recovery-link-revoked', userId: user, origin: '', actor });
    return { user, revoked };
  }
}
