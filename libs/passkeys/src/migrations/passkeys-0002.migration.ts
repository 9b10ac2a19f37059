import { type MigrationInterface, type QueryRunner, Table } from 'typeorm';

/** Sign-in challenges that were presented. */
export class Passkeys0002Migration1795313900002 implements MigrationInterface {
  name = 'Passkeys0002Migration1795313900002';

  async up(runner: QueryRunner) {
    await runner.createTable(
      new Table({
        name: 'taken_challenges',
        columns: [
          { name: 'challenge_hash', type: 'varchar', length: '43', isPrimary: true },
          { name: 'expires_at', type: 'bigint' },
        ],
        indices: [{ name: 'taken_challenges_expires_at', columnNames: ['expires_at'] }],
      }),
    );
  }

  async down(runner: QueryRunner) {
    await runner.dropTable('taken_challenges');
  }
}
