import { Inject, Injectable } from '@nestjs/common';
import {
  RecoveryCodesService,
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
    private readonly codes: RecoveryCodesService,
    private readonly events: SecurityEventsService,
  ) {}

  /**
   * Creates a recovery link that works once, within 24 hours, and is shown this once; it replaces an older link. It
   * works on the origin that it leads to alone, unless that is only guessed from the port.
   * Throws RefusalError 400 for an origin that is not a public one, and 409 for a disabled account.
   */
  async createLink(user: string, origin: string | undefined, actor: string) {
    const { port, publicOrigins } = this.options;
    const only = origin ?? publicOrigins?.[0];
    if (origin !== undefined && publicOrigins?.includes(origin) === false) {
      const allowed = publicOrigins.join(', ');
      throw new RefusalError(400, `origin takes one of PUBLIC_ORIGINS: ${allowed}`);
    }
    const code = await this.codes.createLinkCode(user, only ?? null);
    if (code === undefined) {
      await this.users.get(user);
      throw new RefusalError(409, 'this account is disabled; enable it first');
    }
    this.events.emit({ type: 'recovery-link-created', userId: user, origin: '', actor });
    return { user, link: `${only ?? `http://localhost:${port}`}/svc/account/recover#${code}` };
  }

  /** Revokes the account's link; `revoked` is false when there was none. */
  async revokeLink(user: string, actor: string) {
    await this.users.get(user);
    const revoked = await this.codes.revokeLink(user);
    if (revoked)
      this.events.emit({ type: 'recovery-link-revoked', userId: user, origin: '', actor });
    return { user, revoked };
  }
}
