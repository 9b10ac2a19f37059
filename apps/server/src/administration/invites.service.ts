import { Injectable } from '@nestjs/common';
import {
  InvitesService,
  type InviteRecord,
  type NewInvite,
  SecurityEventsService,
} from '#libs/accounts';
import type { PageRequest } from '#libs/platform';
import { toIsoTime } from './values.js';

const WEEK_MS = 7 * 24 * 60 * 60 * 1000;

type AskedInvite = Pick<NewInvite, 'uses'> & Partial<Pick<NewInvite, 'expiresAt'>>;

/** Invites for operators; like UsersAdministrationService for accounts. */
@Injectable()
export class InvitesAdministrationService {
  constructor(
    private readonly invites: InvitesService,
    private readonly events: SecurityEventsService,
  ) {}

  /**
   * Returns the code this once. `expiresAt` is epoch milliseconds, in a week by default. Throws RefusalError 400 for
   * a number of uses or an expiry out of bounds.
   */
  async create({ uses, expiresAt = Date.now() + WEEK_MS }: AskedInvite, actor: string) {
    const { code, ...invite } = await this.invites.create({ uses, expiresAt, createdBy: actor });
    this.tell('invite-created', invite.id, actor);
    return { id: invite.id, code, uses: invite.uses, expiresAt: toIsoTime(invite.expiresAt) };
  }

  /** Newest first. @throws UnknownPageError */
  async list(asked: PageRequest) {
    const { items, next } = await this.invites.list(asked);
    return { items: items.map(toInvite), next };
  }

  async show(id: string) {
    return toInvite(await this.invites.get(id));
  }

  /** The code is invalid from now on; accounts that were created with it stay. */
  async remove(id: string, actor: string) {
    await this.invites.remove(id);
    this.tell('invite-deleted', id, actor);
    return { id };
  }

  private tell(type: 'invite-created' | 'invite-deleted', id: string, actor: string) {
    const said = { detail: `invite ${id}`, facts: { invite: id } };
    this.events.emit({ type, userId: null, origin: '', actor, ...said });
  }
}

const toInvite = ({ id, uses, usesLeft, createdAt, createdBy, expiresAt }: InviteRecord) => ({
  id,
  uses,
  usesLeft,
  createdAt: toIsoTime(createdAt),
  createdBy,
  expiresAt: toIsoTime(expiresAt),
});
