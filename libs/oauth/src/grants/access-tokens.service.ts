import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { hashSecret, type User } from '#libs/accounts';
import { scopeWords } from '../scopes/scope.js';
import { TokenEntity } from './token.entity.js';

/** What a valid access token stands for. */
export interface AccessGrant {
  readonly grantId: string;
  readonly user: User;
  /** The app's name, as its user saw it. */
  readonly app: string;
  /** The only resource the token is good for. */
  readonly audience: string;
  readonly scopes: readonly string[];
}

@Injectable()
export class AccessTokensService {
  constructor(private readonly dataSource: DataSource) {}

  /**
   * The grant behind an access token, in one statement that joins token, grant and user. Undefined
   * when the token is unknown or expired, or its grant was revoked or has expired.
   */
  async find(token: string): Promise<AccessGrant | undefined> {
    const now = Date.now();
    const found = await this.dataSource
      .createQueryBuilder(TokenEntity, 'token')
      .innerJoinAndSelect('token.grant', 'grant')
      .innerJoinAndSelect('grant.user', 'user')
      .where('token.idHash = :idHash', { idHash: hashSecret(token) })
      .andWhere('token.kind = :kind', { kind: 'AccessToken' })
      .andWhere('grant.revokedAt IS NULL')
      .getOne();
    if (!found || found.expiresAt <= now || found.grant.expiresAt <= now) return undefined;
    const { aud, scope } = found.payload as { aud?: unknown; scope?: string };
    const { id, app, user } = found.grant;
    return {
      grantId: id,
      user: { id: user.id, displayName: user.displayName },
      app,
      audience: typeof aud === 'string' ? aud : '',
      scopes: scopeWords(scope),
    };
  }
}
