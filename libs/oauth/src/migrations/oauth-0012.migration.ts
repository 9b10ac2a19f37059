import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * What people decide about a connection after the consent. In SQL, because TypeORM would copy the whole table on
 * SQLite. Existing grants, and those of a replica of the previous version, allow each scope that they have; such a
 * replica does not know what was decided here and goes by `scope` alone.
 */
export class OAuth0012Migration1795800000012 implements MigrationInterface {
  name = 'OAuth0012Migration1795800000012';

  async up(runner: QueryRunner) {
    const isPostgres = runner.connection.options.type === 'postgres';
    const [yes, no] = isPostgres ? ['true', 'false'] : ['1', '0'];
    for (const [name, type] of columns(yes, no)) {
      await runner.query(`ALTER TABLE oauth_grants ADD COLUMN ${name} ${type}`);
    }
  }

  async down(runner: QueryRunner) {
    for (const [name] of columns()) {
      await runner.query(`ALTER TABLE oauth_grants DROP COLUMN ${name}`);
    }
  }
}

const columns = (yes = '', no = ''): [name: string, type: string][] => [
  ['permissions', 'text'],
  ['may_ask', `boolean NOT NULL DEFAULT ${yes}`],
  ['paused_by_person', `boolean NOT NULL DEFAULT ${no}`],
  ['paused_by_administrator', `boolean NOT NULL DEFAULT ${no}`],
  ['daily_credits', 'integer'],
  ['ends_at', 'bigint'],
];
