import { type MigrationInterface, type QueryRunner, Table } from 'typeorm';

/** The audit trail. */
export class Audit0001Migration1795219200005 implements MigrationInterface {
  name = 'Audit0001Migration1795219200005';

  async up(runner: QueryRunner) {
    await runner.createTable(
      new Table({
        name: 'audit_events',
        columns: [
          { name: 'id', type: 'varchar', length: '36', isPrimary: true },
          { name: 'at', type: 'bigint' },
          { name: 'type', type: 'varchar', length: '32' },
          { name: 'user_id', type: 'varchar', length: '64', isNullable: true },
          { name: 'client_id', type: 'varchar', length: '2048', isNullable: true },
          { name: 'grant_id', type: 'varchar', length: '128', isNullable: true },
          { name: 'origin', type: 'varchar', length: '300' },
          { name: 'request_id', type: 'varchar', length: '64', isNullable: true },
          { name: 'expires_at', type: 'bigint' },
        ],
        indices: [
          { name: 'audit_events_user', columnNames: ['user_id', 'at'] },
          { name: 'audit_events_at', columnNames: ['at'] },
          { name: 'audit_events_expires_at', columnNames: ['expires_at'] },
        ],
      }),
    );
  }

  async down(runner: QueryRunner) {
    await runner.dropTable('audit_events');
  }
}
