import { Injectable } from '@nestjs/common';
import { DataSource, type EntityManager } from 'typeorm';
import { PreparedStatement } from '#libs/platform';
import type { ExternalIdentity } from '../sign-up/account-policy.js';
import { ExternalIdentityEntity } from './external-identity.entity.js';

const LINK = new PreparedStatement<'issuer' | 'subject' | 'userId' | 'createdAt'>(
  'link-external-identity',
  `INSERT INTO external_identities (issuer, subject, user_id, created_at)
   VALUES (:issuer, :subject, :userId, CAST(:createdAt AS bigint)) ON CONFLICT DO NOTHING`,
);

/** Identities at other issuers, each linked to one account. Texts are compared exactly. */
@Injectable()
export class ExternalIdentityStore {
  constructor(private readonly dataSource: DataSource) {}

  /** Undefined when the identity is linked to no account. */
  async find({ issuer, subject }: ExternalIdentity) {
    const found = await this.dataSource
      .createQueryBuilder(ExternalIdentityEntity, 'identity')
      .innerJoinAndSelect('identity.user', 'user')
      .where({ issuer, subject })
      .getOne();
    if (!found) return undefined;
    const { id, displayName, disabledAt } = found.user;
    return { user: { id, displayName }, isDisabled: disabledAt !== null };
  }

  async list(
    userId: string,
    manager: EntityManager = this.dataSource.manager,
  ): Promise<ExternalIdentityEntity[]> {
    return manager.find(ExternalIdentityEntity, {
      where: { userId },
      order: { createdAt: 'ASC', issuer: 'ASC', subject: 'ASC' },
    });
  }

  /** Links an identity from `expectIdentity`; false when it is linked. Of concurrent calls one gets true. */
  async link(
    on: DataSource | EntityManager,
    { issuer, subject }: ExternalIdentity,
    userId: string,
  ): Promise<boolean> {
    const linked = await LINK.run(on, { issuer, subject, userId, createdAt: Date.now() });
    return linked.affected === 1;
  }

  /** Keeps the link until the transaction ends. False when the identity is not linked to this account. */
  async hold(
    manager: EntityManager,
    { issuer, subject }: ExternalIdentity,
    userId: string,
  ): Promise<boolean> {
    const link = { issuer, subject, userId };
    const touched = await manager.update(ExternalIdentityEntity, link, { userId });
    return touched.affected === 1;
  }

  /** False when the identity is not linked to this account. Of any number of calls, one gets true. */
  async unlink(
    { issuer, subject }: ExternalIdentity,
    userId: string,
    manager: EntityManager = this.dataSource.manager,
  ): Promise<boolean> {
    const link = { issuer, subject, userId };
    const unlinked = await manager.delete(ExternalIdentityEntity, link);
    return unlinked.affected === 1;
  }
}
