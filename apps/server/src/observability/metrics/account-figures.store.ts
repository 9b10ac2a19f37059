import type { DataSource } from 'typeorm';
import { column, PreparedStatement } from '#libs/platform';

export const FIGURES = ['users', 'sessions', 'grants'] as const;

export type AccountFigures = Readonly<Record<(typeof FIGURES)[number], number>>;

const COUNT = new PreparedStatement<'countedAt'>(
  'account-figures',
  `SELECT (SELECT COUNT(*) FROM users) AS users,
     (SELECT COUNT(*) FROM sessions WHERE expires_at > :countedAt) AS sessions,
     (SELECT COUNT(*) FROM oauth_grants WHERE revoked_at IS NULL AND expires_at > :countedAt) AS grants`,
);

/** Reads whole indexes. */
export async function countAccounts(dataSource: DataSource): Promise<AccountFigures> {
  const [row = {}] = (await COUNT.run(dataSource, { countedAt: Date.now() })).rows;
  const of = (name: keyof AccountFigures) => column.number(row, name);
  return { users: of('users'), sessions: of('sessions'), grants: of('grants') };
}
