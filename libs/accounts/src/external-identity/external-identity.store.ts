import { Injectable } from '@nestjs/common';
import { DataSource, type EntityManager } from 'typeorm';
import { PreparedStatement } from '#libs/platform';
import type { ExternalIdentity } from '../sign-up/account-policy.js';
import type { User } from '../user/user.js';
import { ExternalIdentityEntity } from './external-identity.entity.js';

const LINK = new PreparedStatement<'issuer' | 'subject' | 'userId' | 'createdAt'>(
  'link-external-identity',
  `INSERT INTO external_identities (issuer, subject, user_id, created_at)
   VALUES (:issuer, :subject, :userId, CAST(:createdAt AS bigint)) ON CONFLICT DO NOTHING`,
);

/** The account that an identity is linked to. */
export interface LinkedAccount {
  readonly user: User;
  readonly isDisabled: boolean;
}

/** Identities at other issuers, each linked to one account. Texts are compared exactly. */
@Injectable()
export class ExternalIdentityStore {
  constructor(private readonly dataSource: DataSource) {}

  /** Undefined when the identity is linked to no account. */
  async find({ issuer, subject }: ExternalIdentity): Promise<LinkedAccount | undefined> {
    const found = await this.dataSource
      .createQueryBuilder(ExternalIdentityEntity, 'identity')
      .innerJoinAndSelect('identity.user', 'user')
      .where({ issuer, subject })
      .getOne();
    if (!found) return undefined;
    const { id, displayName, disabledAt } = found.user;
    return { user: { id, displayName }, isDisabled: disabledAt !== null };
  }

  /** The identities of an account, the oldest first. */
  async list(userId: string): Promise<ExternalIdentityEntity[]> {
    return this.dataSource.manager.find(ExternalIdentityEntity, {
      where: { userId },
      order: { createdAt: 'ASC', issuer: 'ASC', subject: 'ASC' },
    });
  }

  /**
   * Links an identity that `expectIdentity` returned to an existing account. False when it is linked already, to
   * this or another account. Of any number of calls with one identity, one gets true; inside a transaction, a
   * parallel call waits until that ends.
   */
  async link(
    on: DataSource | EntityManager,
    { issuer, subject }: ExternalIdentity,
    userId: string,
  ): Promise<boolean> {
    const linked = await LINK.run(on, { issuer, subject, userId, createdAt: Date.now() });
    return linked.affected === 1;
  }

  /** False when the identity is not linked to this account. Of any number of calls, one gets true. */
  async unlink({ issuer, subject }: ExternalIdentity, userId: string): Promise<boolean> {
    const link = { issuer, subject, userId };
    const unlinked = await this.dataSource.manager.delete(ExternalIdentityEntity, link);
    return unlinked.affected === 1;
  }
}
