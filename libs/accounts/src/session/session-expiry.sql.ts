import type { DataSource } from 'typeorm';
import { PreparedStatement } from '#libs/platform';

const FIND = new PreparedStatement(
  'session-expiry',
  'SELECT expires_at FROM sessions WHERE token_hash = $1 AND expires_at > $2',
);

/** When the session with this token hash expires, in epoch milliseconds; undefined when it has by `now`. */
export async function findSessionExpiry(
  dataSource: DataSource,
  tokenHash: string,
  now: number,
): Promise<number | undefined> {
  const { rows } = await FIND.run(dataSource, [tokenHash, now]);
  const [row] = rows;
  return row && Number(row['expires_at']);
}
