import { Injectable } from '@nestjs/common';
import { DataSource, type EntityManager, MoreThan } from 'typeorm';
import { hashReadableCode } from '../secret.js';
import { RefusalError } from '../http/refusal.error.js';
import { InviteEntity } from './invite.entity.js';

/** Checks and spends invitation codes, by their hashes. */
@Injectable()
export class InvitesService {
  constructor(private readonly dataSource: DataSource) {}

  /**
   * The hash of a typed code, to be spent when the sign-up ends. Throws RefusalError 403 for a code that is wrong,
   * used up or expired, with one message and after the same statement.
   */
  async expectGood(typed: string): Promise<string> {
    const codeHash = hashReadableCode(typed);
    const isGood = await this.dataSource.manager.existsBy(InviteEntity, good(codeHash));
    if (!isGood) throw notGood();
    return codeHash;
  }

  /**
   * Takes one use inside the caller's transaction, whose rollback gives it back, and returns the id of the invite.
   * Of any number of calls at most as many succeed as there are uses. Throws as `expectGood`.
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
