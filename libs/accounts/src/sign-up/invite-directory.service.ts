import { randomBytes } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { type Page, type PageRequest, readNewestFirst } from '#libs/platform';
import { hashReadableCode } from '../secret.js';
import { RefusalError } from '../http/refusal.error.js';
import { generateInviteCode } from './invite-code.js';
import { InviteEntity } from './invite.entity.js';

const ID_BYTES = 16;
export const MAX_INVITE_USES = 10_000;
const DAY_MS = 24 * 60 * 60 * 1000;
const MAX_LIFETIME_DAYS = 365;

/** An invite as administrators see it. Times are epoch milliseconds. */
export type InviteRecord = Omit<InviteEntity, 'codeHash'>;

/** Properties of a new invite; `expiresAt` in epoch milliseconds, `createdBy` at most 64 characters. */
export type NewInvite = Pick<InviteEntity, 'uses' | 'expiresAt' | 'createdBy'>;

/** Invites for administrators. An unknown id is RefusalError 404. */
@Injectable()
export class InviteDirectoryService {
  constructor(private readonly dataSource: DataSource) {}

  /** Returns the code, which cannot be read again. Throws RefusalError 400 for `uses` or `expiresAt` out of bounds. */
  async create({
    uses,
    expiresAt,
    createdBy,
  }: NewInvite): Promise<InviteRecord & { code: string }> {
    const createdAt = Date.now();
    if (!(Number.isInteger(uses) && uses >= 1 && uses <= MAX_INVITE_USES)) throw badUses();
    if (!(expiresAt > createdAt && expiresAt <= createdAt + MAX_LIFETIME_DAYS * DAY_MS)) {
      throw badEnd();
    }
    const code = generateInviteCode();
    const id = randomBytes(ID_BYTES).toString('base64url');
    const invite = { id, uses, usesLeft: uses, createdAt, createdBy, expiresAt };
    await this.dataSource.manager.insert(InviteEntity, {
      ...invite,
      codeHash: hashReadableCode(code),
    });
    return { ...invite, code };
  }

  /** Newest first; expired ones are deleted within minutes. @throws UnknownPageError */
  async list(page: PageRequest) {
    const query = this.dataSource.createQueryBuilder(InviteEntity, 'invite');
    return (await readNewestFirst(query, page, 'createdAt')) satisfies Page<InviteRecord>;
  }

  async get(id: string): Promise<InviteRecord> {
    const found = await this.dataSource.manager.findOneBy(InviteEntity, { id });
    if (!found) throw unknownInvite();
    return found;
  }

  /** Makes the code invalid at once; sign-ups in progress end without an account. */
  async remove(id: string): Promise<void> {
    const removed = await this.dataSource.manager.delete(InviteEntity, { id });
    if (removed.affected !== 1) throw unknownInvite();
  }
}

const unknownInvite = () => new RefusalError(404, 'there is no invite of that id');
const badUses = () => new RefusalError(400, `an invite is for 1 to ${MAX_INVITE_USES} accounts`);
const badEnd = () =>
  new RefusalError(400, `an invite ends in the future, within ${MAX_LIFETIME_DAYS} days`);
