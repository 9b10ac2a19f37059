import { Injectable } from '@nestjs/common';
import { DataSource, type EntityManager, MoreThan } from 'typeorm';
import { type ListPage, type PageRequest, readNewestFirst } from '#libs/platform';
import { RefusalError } from '../http/refusal.error.js';
import { generateId, generateReadableCode, hashReadableCode, inGroups } from '../secret.js';
import { InviteEntity } from './invite.entity.js';

const CODE_LENGTH = 20;
export const MAX_INVITE_USES = 10_000;
const DAY_MS = 24 * 60 * 60 * 1000;
const MAX_LIFETIME_DAYS = 365;

/** Maximum length of the typed text: the code, its dashes, and what was copied with it. */
export const MAX_INVITE_LENGTH = 64;

/** 100 random bits in five groups, to give to a person: `7Q2M-X0VK-…`. */
const generateInviteCode = () => inGroups(generateReadableCode(CODE_LENGTH));

/** An invite as administrators see it. Times are epoch milliseconds. */
export type InviteRecord = Omit<InviteEntity, 'codeHash'>;

/** Properties of a new invite; `expiresAt` in epoch milliseconds, `createdBy` at most 64 characters. */
export type NewInvite = Pick<InviteEntity, 'uses' | 'expiresAt' | 'createdBy'>;

/** Creates and lists invites, checks and spends their codes, stored as hashes. An unknown id is RefusalError 404. */
@Injectable()
export class InviteStore {
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
    const invite = { id: generateId(), uses, usesLeft: uses, createdAt, createdBy, expiresAt };
    await this.dataSource.manager.insert(InviteEntity, {
      ...invite,
      codeHash: hashReadableCode(code),
    });
    return { ...invite, code };
  }

  /** Newest first; expired ones are deleted within minutes. @throws NotFoundException */
  async list(page: PageRequest) {
    const query = this.dataSource.createQueryBuilder(InviteEntity, 'invite');
    return (await readNewestFirst(query, page, 'createdAt')) satisfies ListPage<InviteRecord>;
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

  /** The hash of a typed code. Throws RefusalError 403 for any unusable one, by the same statement. */
  async expectUsable(typed: string): Promise<string> {
    const codeHash = hashReadableCode(typed);
    const isUsable = await this.dataSource.manager.existsBy(InviteEntity, usable(codeHash));
    if (!isUsable) throw invalidCode();
    return codeHash;
  }

  /** Takes one use in the caller's transaction; returns the invite's id. As many calls succeed as there are uses. */
  async spend(manager: EntityManager, codeHash: string): Promise<string> {
    const oneLess = { usesLeft: () => 'uses_left - 1' };
    const spent = await manager.update(InviteEntity, usable(codeHash), oneLess);
    if (spent.affected !== 1) throw invalidCode();
    const { id } = await manager.findOneByOrFail(InviteEntity, { codeHash });
    return id;
  }
}

const usable = (codeHash: string) => ({
  codeHash,
  usesLeft: MoreThan(0),
  expiresAt: MoreThan(Date.now()),
});

const invalidCode = () =>
  new RefusalError(
    403,
    'this invitation code is wrong, already used or expired; ask the person who invited you for another one',
    {},
    { reason: 'invite' },
  );

const unknownInvite = () => new RefusalError(404, 'there is no invite of that id');
const badUses = () => new RefusalError(400, `an invite is for 1 to ${MAX_INVITE_USES} accounts`);
const badEnd = () =>
  new RefusalError(400, `an invite ends in the future, within ${MAX_LIFETIME_DAYS} days`);
