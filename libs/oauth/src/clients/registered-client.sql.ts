import type { DataSource } from 'typeorm';
import { PreparedStatement } from '#libs/database';
import type { KnownClient } from './client-metadata.js';

const FIND = new PreparedStatement(
  'registered-client',
  'SELECT metadata, secret_hash FROM oauth_clients WHERE id = $1 AND expires_at > $2',
);

/** The metadata of a client that registered, with the hash in the place of the secret; undefined when it has gone. */
export async function findRegisteredClient(
  dataSource: DataSource,
  id: string,
): Promise<KnownClient | undefined> {
  const { rows } = await FIND.run(dataSource, [id, Date.now()]);
  const [row] = rows;
  if (!row) return undefined;
  const metadata: KnownClient = JSON.parse(String(row['metadata']));
  const secretHash = row['secret_hash'];
  return secretHash == null ? metadata : { ...metadata, client_secret: String(secretHash) };
}
