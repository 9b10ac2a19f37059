import type { EntityManager } from 'typeorm';
import { runSql } from '#libs/database';

/** More than any client holds whose answers got lost, and little enough for one that only refreshes. */
const UNUSED_SIBLINGS_KEPT = 100;
const SIBLING_KEPT_MS = 60 * 1000;

/**
 * Deletes refresh tokens of a grant that is locked, while one of it is used: those of earlier
 * generations, which can never be good again, and of its unused successors all but the newest 100,
 * unless they are younger than a minute. So rows of a grant stay few, however often it is refreshed.
 * Tokens of grants that are older than families stay: nothing else would tell them.
 */
export async function removeReplacedTokens(
  manager: EntityManager,
  { grantId, generation }: { readonly grantId: string; readonly generation: number },
): Promise<void> {
  await runSql(
    manager,
    `DELETE FROM oauth_tokens
     WHERE grant_id = $1 AND kind = 'RefreshToken' AND generation < $2 AND ${HAS_FAMILY}`,
    [grantId, generation],
  );
  await runSql(
    manager,
    `DELETE FROM oauth_tokens
     WHERE created_at < $1 AND ${HAS_FAMILY} AND id_hash IN
       (SELECT id_hash FROM oauth_tokens
        WHERE grant_id = $2 AND kind = 'RefreshToken' AND generation = $3 AND consumed_at IS NULL
        ORDER BY created_at DESC LIMIT 1000 OFFSET ${UNUSED_SIBLINGS_KEPT})`,
    [Date.now() - SIBLING_KEPT_MS, grantId, generation + 1],
  );
}

const HAS_FAMILY = `EXISTS
  (SELECT 1 FROM oauth_grants WHERE id = oauth_tokens.grant_id AND family_hash IS NOT NULL)`;
