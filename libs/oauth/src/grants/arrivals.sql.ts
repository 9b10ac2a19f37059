import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { databaseNow, runSql } from '#libs/database';

/** First uses of access tokens, which tell that the refresh they came with has arrived. */
@Injectable()
export class Arrivals {
  constructor(private readonly dataSource: DataSource) {}

  /**
   * Notes that the answer with this generation has arrived: an access token of it was used. Only the
   * first note of a generation counts, on whatever replica; one of an earlier generation changes nothing.
   */
  async note(grantId: string, generation: number): Promise<void> {
    await runSql(
      this.dataSource,
      `UPDATE oauth_grants SET arrived_generation = $1, arrived_at = ${databaseNow(this.dataSource)}
       WHERE id = $2 AND arrived_generation < $1`,
      [generation, grantId],
    );
  }
}
