import { type MigrationInterface, type QueryRunner, Table } from 'typeorm';

/** Events that wait for delivery. */
export class Outbox0001Migration1795350000001 implements MigrationInterface {
  name = 'Outbox0001Migration1795350000001';

  async up(runner: QueryRunner) {
    await runner.createTable(
      new Table({
        name: 'outbox_queues',
        columns: [
          { name: 'id', type: 'varchar', length: '64', isPrimary: true },
          { name: 'due_at', type: 'bigint' },
          { name: 'claim', type: 'varchar', length: '36', isNullable: true },
          { name: 'written', type: 'bigint' },
        ],
        indices: [{ name: 'outbox_queues_due_at', columnNames: ['due_at'] }],
      }),
    );
    await runner.createTable(
      new Table({
        name: 'outbox_events',
        columns: [
          { name: 'id', type: 'varchar', length: '64', isPrimary: true },
          { name: 'queue_id', type: 'varchar', length: '64' },
          { name: 'place', type: 'bigint' },
          { name: 'type', type: 'varchar', length: '32' },
          { name: 'body', type: 'text' },
          { name: 'created_at', type: 'bigint' },
          { name: 'attempts', type: 'integer', default: 0 },
          { name: 'failure', type: 'varchar', length: '200', isNullable: true },
          { name: 'dead_at', type: 'bigint', isNullable: true },
          { name: 'expires_at', type: 'bigint' },
        ],
        indices: [
          {
            name: 'outbox_events_next',
            columnNames: ['queue_id', 'place'],
            where: 'dead_at IS NULL',
          },
          { name: 'outbox_events_dead_at', columnNames: ['dead_at', 'id'] },
          { name: 'outbox_events_expires_at', columnNames: ['expires_at'] },
        ],
      }),
    );
  }

  async down(runner: QueryRunner) {
    await runner.dropTable('outbox_events');
    await runner.dropTable('outbox_queues');
  }
}
