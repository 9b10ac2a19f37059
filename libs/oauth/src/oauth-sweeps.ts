import { PreparedStatement, expiredRows } from '#libs/platform';
import { AssertionEntity } from './client/assertion.entity.js';
import { RegisteredClientEntity } from './client/registered-client.entity.js';
import { ConsentEntity } from './consent/consent.entity.js';
import { GrantEntity } from './grant/grant.entity.js';
import { TokenEntity } from './token/token.entity.js';

const KEYS = {
  postgres: 'SELECT json_array_elements_text(CAST($1 AS json))',
  sqlite: 'SELECT value FROM json_each($1) AS keys',
};

/** Skips locked rows until the next round: if the sweeper waited for them, others would wait for the sweeper. */
const PUT_OFF = new PreparedStatement(
  'put-off-grants',
  ({ type }) => `
    UPDATE oauth_grants SET sweep_due_at = expires_at
    WHERE id IN (SELECT id FROM oauth_grants WHERE id IN (${KEYS[type]})
                 ${type === 'postgres' ? 'FOR NO KEY UPDATE SKIP LOCKED' : ''})`,
);

/** Expired registrations and assertions. */
export const clientSweeps = [
  expiredRows(RegisteredClientEntity, 'id'),
  expiredRows(AssertionEntity, 'idHash'),
];

/** Expired tokens, grants and consents. A revoked grant stays until it would have expired; its tokens go with it. */
export const grantSweeps = [
  expiredRows(TokenEntity, 'idHash'),
  expiredRows(GrantEntity, 'id', { dueAt: 'sweepDueAt', putOff: PUT_OFF }),
  expiredRows(ConsentEntity, 'handleHash'),
];
