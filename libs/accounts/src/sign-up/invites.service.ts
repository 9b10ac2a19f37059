import { Injectable } from '@nestjs/common';
import { DataSource, type EntityManager, MoreThan } from 'typeorm';
import { hashReadableCode } from '../readable-code.js';
import { RefusalError } from '../refusal.error.js';
import { InviteEntity } from './invite.entity.js';

/** What of an invite lets somebody in: its code at rest. */
@Injectable()
export class InvitesService {
  constructor(private readonly dataSource: DataSource) {}

  /**
   * The hash of a code that was typed, to be spent when the sign-up ends. Throws RefusalError 403 for one
   * that is wrong, was used up or has expired, with one text and after the same statement.
   */
  async expectGood(typed: string): Promise<string> {
    const codeHash = hashReadableCode(typed);
    const isGood = await this.dataSource.manager.existsBy(InviteEntity, good(codeHash));
    if (!isGood) throw notGood();
    return codeHash;
  }

  /**
   * Takes one use inside the caller's transaction, which gives it back by failing, and returns the id of
   * the invite. Of any number of calls no more succeed than there are uses. Throws as `expectGood`.
   */
  async spend(manager: EntityManager, codeHash: string): Promise<string> {
    const oneLess = { usesLeft: () => 'uses_left - 1' };
    const spent = await manager.update(InviteEntity, good(codeHash), oneLess);
    if (spent.affected !== 1) throw notGood();
    const { id } = await manager.findOneByOrFail(InviteEntity, { codeHash });
    return id;
  }
}

const good = (codeHash: string) => ({
  codeHash,
  usesLeft: MoreThan(0),
  expiresAt: MoreThan(Date.now()),
});

const notGood = () =>
  new RefusalError(
    403,
    'this invitation code is wrong, already used or expired; ask the person who invited you for another one',
    {},
    { reason: 'invite' },
  );
