import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { hashSecret } from '#libs/accounts';
import { runSql } from '#libs/database';
import { ClientBlocks } from '../clients/blocks/client-blocks.sql.js';
import { familyOf } from '../grants/refresh-token-family.js';

/** What speaks against a code or refresh token, for as long as somebody wants it so. */
interface GrantStanding {
  readonly isUserDisabled: boolean;
  /** By its id, or by the host of the redirect URI that the grant began with. */
  readonly isClientBlocked: boolean;
}

const FIND = `
  SELECT oauth_grants.redirect_host, users.disabled_at
  FROM oauth_grants JOIN users ON users.id = oauth_grants.user_id
  WHERE oauth_grants.id = (SELECT grant_id FROM oauth_tokens WHERE id_hash = $1)
     OR oauth_grants.family_hash = $2
  LIMIT 1`;

@Injectable()
export class GrantStandings {
  constructor(
    private readonly dataSource: DataSource,
    private readonly blocks: ClientBlocks,
  ) {}

  /** Of what a client presents, whose ever it is; a refresh token whose row is gone is known by its family. */
  async of(clientId: string, presented: string): Promise<GrantStanding> {
    const hashes = [hashSecret(presented), hashSecret(familyOf(presented))];
    const { rows } = await runSql(this.dataSource, FIND, hashes);
    const { redirect_host: host, disabled_at: disabledAt } = rows[0] ?? {};
    return {
      isUserDisabled: disabledAt != null,
      isClientBlocked: await this.blocks.keepsOut(clientId, host == null ? null : String(host)),
    };
  }
}
