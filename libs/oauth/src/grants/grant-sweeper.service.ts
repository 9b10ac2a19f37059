import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { PreparedStatement, SweeperService } from '#libs/database';
import { ConsentEntity } from '../consents/consent.entity.js';
import { GrantEntity } from './grant.entity.js';
import { TokenEntity } from './token.entity.js';

const KEYS = {
  postgres: 'SELECT json_array_elements_text(CAST($1 AS json))',
  sqlite: 'SELECT value FROM json_each($1) AS keys',
};

/** Those that somebody holds are left for the next round: a sweeper that waits could be waited for. */
const PUT_OFF = new PreparedStatement(
  'put-off-grants',
  ({ type }) => `
    UPDATE oauth_grants SET sweep_due_at = expires_at
    WHERE id IN (SELECT id FROM oauth_grants WHERE id IN (${KEYS[type]})
                 ${type === 'postgres' ? 'FOR NO KEY UPDATE SKIP LOCKED' : ''})`,
);

/** Revoked grants stay until they would have expired; their tokens go with them. */
@Injectable()
export class GrantSweeperService extends SweeperService {
  constructor(dataSource: DataSource) {
    super(dataSource, [
      { entity: TokenEntity, key: 'idHash' },
      { entity: GrantEntity, key: 'id', dueAt: 'sweepDueAt', putOff: PUT_OFF },
      { entity: ConsentEntity, key: 'handleHash' },
    ]);
  }
}
