import { Injectable } from '@nestjs/common';
import {
  InvitesService,
  type InviteRecord,
  type NewInvite,
  SecurityEventsService,
} from '#libs/accounts';
import type { PageRequest } from '#libs/platform';
import { mapPage, toIsoTime } from './operation/values.js';

const WEEK_MS = 7 * 24 * 60 * 60 * 1000;

interface AskedInvite extends Pick<NewInvite, 'uses'> {
  /** Epoch milliseconds; in a week by default. */
  readonly expires?: number | undefined;
}

@Injectable()
export class InvitesAdministrationService {
  constructor(
    private readonly invites: InvitesService,
    private readonly events: SecurityEventsService,
  ) {}

  /** Returns the code this once. Throws RefusalError 400 for a number of uses or an expiry out of bounds. */
  async create({ uses, expires = Date.now() + WEEK_MS }: AskedInvite, actor: string) {
    const asked = { uses, expiresAt: expires, createdBy: actor };
    const { id, code, expiresAt } = await this.invites.create(asked);
    this.tell('invite-created', id, actor);
    return { id, code, uses, expiresAt: toIsoTime(expiresAt) };
  }

  /** Newest first. @throws UnknownPageError */
  async list(asked: PageRequest) {
    return mapPage(await this.invites.list(asked), toInvite);
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
