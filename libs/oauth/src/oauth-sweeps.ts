import { PreparedStatement, expiredRows } from '#libs/platform';
import { AssertionEntity } from './clients/assertion.entity.js';
import { RegisteredClientEntity } from './clients/registered-client.entity.js';
import { ConsentEntity } from './consents/consent.entity.js';
import { GrantEntity } from './grants/grant.entity.js';
import { TokenEntity } from './grants/token.entity.js';

const KEYS = {
  postgres: 'SELECT json_array_elements_text(CAST($1 AS json))',
  sqlite: 'SELECT value FROM json_each($1) AS keys',
};

/** Locked rows are left for the next round: a sweeper that waits for them would make others wait for it. */
const PUT_OFF = new PreparedStatement(
  'put-off-grants',
  ({ type }) => `
    UPDATE oauth_grants SET sweep_due_at = expires_at
    WHERE id IN (SELECT id FROM oauth_grants WHERE id IN (${KEYS[type]})
                 ${type === 'postgres' ? 'FOR NO KEY UPDATE SKIP LOCKED' : ''})`,
);

/** What the sweeper removes of clients. */
export const clientSweeps = [
  expiredRows(RegisteredClientEntity, 'id'),
  expiredRows(AssertionEntity, 'idHash'),
];

/** What the sweeper removes of grants. Revoked ones stay until they would have expired; their tokens go with them. */
export const grantSweeps = [
  expiredRows(TokenEntity, 'idHash'),
  expiredRows(GrantEntity, 'id', { dueAt: 'sweepDueAt', putOff: PUT_OFF }),
  expiredRows(ConsentEntity, 'handleHash'),
];
