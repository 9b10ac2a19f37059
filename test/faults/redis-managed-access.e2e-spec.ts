import { randomUUID } from 'node:crypto';
import { startGatehouse } from '../support/gatehouse.js';
import { JWT_BEARER, startManagedAccess } from '../support/managed-access.js';
import { OAuthClient } from '../support/oauth-client.js';
import { startRedisServer } from '#libs/platform/testing';

const USED = [
  400,
  { error: 'invalid_grant', error_description: 'the jti of the assertion was used before' },
];

it('with Redis gone an assertion is taken once, also by two replicas at once', async () => {
  const redis = await startRedisServer();
  const variables = { REDIS_URL: redis.url };
  const managed = await startManagedAccess({ variables });
  const withFile = { ...variables, TRUSTED_ISSUERS_FILE: managed.trustedIssuersFile };
  const replica = await startGatehouse(withFile, managed.gatehouse);
  try {
    await redis.stop();
    const here = OAuthClient.published(managed.gatehouse, managed.client.id);
    const there = here.at(replica);
    for (let round = 0; round < 3; round += 1) {
      const params = {
        grant_type: JWT_BEARER,
        assertion: await managed.assertion(randomUUID()),
        client_secret: managed.client.secret ?? '',
      };
      const answers = await Promise.all(
        Array.from({ length: 8 }, (_, n) => (n % 2 ? there : here).token(params)),
      );
      const refused = answers.filter(({ status }) => status !== 200);
      expect(refused.map(({ status, json }) => [status, json()])).toEqual(Array(7).fill(USED));
    }
  } finally {
    await replica.stop();
    await managed.stop();
    await redis.stop();
  }
});
