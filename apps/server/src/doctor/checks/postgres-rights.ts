import type { PoolClient } from 'pg';
import { fail, type Finding, ok } from '../finding.js';

interface Lacking {
  readonly name: string;
  readonly rights: readonly string[];
}

/**
 * What the user lacks on tables of who ran the migrations, and on the sequences of their keys. The table of
 * migrations is read alone.
 */
const LACKING = `
  WITH owner AS (
    SELECT relowner, relnamespace FROM pg_class WHERE oid = to_regclass('migrations')
  ), needed AS (
    SELECT relname, privilege,
      has_table_privilege(pg_class.oid, privilege) AS has
    FROM pg_class JOIN owner USING (relowner, relnamespace),
      unnest(ARRAY['SELECT', 'INSERT', 'UPDATE', 'DELETE']) AS privilege
    WHERE relkind IN ('r', 'p') AND (relname <> 'migrations' OR privilege = 'SELECT')
    UNION ALL
    SELECT relname, 'USAGE',
      CASE relkind WHEN 'S' THEN has_sequence_privilege(pg_class.oid, 'USAGE') END
    FROM pg_class JOIN owner USING (relowner, relnamespace)
    WHERE relkind = 'S' AND NOT EXISTS (
      SELECT 1 FROM pg_depend WHERE objid = pg_class.oid AND deptype = 'i'
    )
  )
  SELECT relname AS name, array_agg(privilege::text ORDER BY privilege) AS rights
  FROM needed WHERE NOT has GROUP BY relname ORDER BY relname`;

const REMEDY =
  'run the GRANT and ALTER DEFAULT PRIVILEGES of docs/operating.md for the user of DATABASE_URL';

/** Whether the user may read and write each table, those that the last migration made included. */
export async function postgresRightsFinding(client: PoolClient): Promise<Finding> {
  const { rows } = await client.query<Lacking>(LACKING);
  if (rows.length === 0) return ok('its user may read and write every table');
  const lacking = rows.map(({ name, rights }) => `${rights.join(', ')} on ${name}`);
  return fail(`its user lacks rights: ${lacking.join('; ')}`, REMEDY);
}
