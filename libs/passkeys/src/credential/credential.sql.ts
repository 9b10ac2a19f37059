import type { DataSource } from 'typeorm';
import type { User } from '#libs/accounts';
import { BatchedRead } from '#libs/platform';
import { base64urlBytes } from './base64url-bytes.js';
import type { Credential } from './credential.js';

const FIND = new BatchedRead(
  'credential',
  ({ keys }) => `
   SELECT c.id AS key, c.user_id, c.rp_id, c.public_key, c.sign_count, c.transports, c.backup_eligible,
          c.backed_up, c.aaguid, u.display_name
   FROM ${keys}
   JOIN credentials c ON c.id = keys.value
   LEFT JOIN users u ON u.id = c.user_id`,
);

/** Finds a credential and its owner; the owner may be deleted. */
export async function findCredential(
  dataSource: DataSource,
  id: string,
): Promise<{ credential: Credential; owner: User | null } | undefined> {
  const row = await FIND.find(dataSource, id);
  if (!row) return undefined;
  const { display_name: displayName, backed_up: backedUp, aaguid } = row;
  const userId = String(row['user_id']);
  return {
    credential: {
      id,
      userId,
      rpId: String(row['rp_id']),
      publicKey: base64urlBytes.from(String(row['public_key'])),
      signCount: Number(row['sign_count']),
      transports: JSON.parse(String(row['transports'])),
      backupEligible: Boolean(row['backup_eligible']),
      backedUp: backedUp == null ? null : Boolean(backedUp),
      aaguid: aaguid == null ? null : String(aaguid),
    },
    owner: displayName == null ? null : { id: userId, displayName: String(displayName) },
  };
}
