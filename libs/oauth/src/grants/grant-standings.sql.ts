import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { hashSecret } from '#libs/accounts';
import { runSql } from '#libs/database';
import { familyOf } from './refresh-token-family.js';

/** What speaks for or against the grant of a code or refresh token, for as long as somebody wants it so. */
export interface GrantStanding {
  readonly isUserDisabled: boolean;
  /** The host of the redirect URI that the grant began with. */
  readonly redirectHost: string | null;
}

const FIND = `
  SELECT oauth_grants.redirect_host, users.disabled_at
  FROM oauth_grants JOIN users ON users.id = oauth_grants.user_id
  WHERE oauth_grants.id = (SELECT grant_id FROM oauth_tokens WHERE id_hash = $1)
     OR oauth_grants.family_hash = $2
  LIMIT 1`;

@Injectable()
export class GrantStandings {
  constructor(private readonly dataSource: DataSource) {}

  /** Undefined for a code or refresh token of no grant; one whose row is gone is known by its family. */
  async find(presented: string): Promise<GrantStanding | undefined> {
    const hashes = [hashSecret(presented), hashSecret(familyOf(presented))];
    const { rows } = await runSql(this.dataSource, FIND, hashes);
    const [row] = rows;
    return (
      row && {
        isUserDisabled: row['disabled_at'] !== null,
        redirectHost: row['redirect_host'] === null ? null : String(row['redirect_host']),
      }
    );
  }
}
