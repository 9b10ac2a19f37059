import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { PreparedStatement } from '#libs/platform';

const NOTE = new PreparedStatement(
  'note-arrival',
  ({ now }) => `
    UPDATE oauth_grants SET arrived_generation = $1, arrived_at = ${now}
    WHERE id = $2 AND arrived_generation < $1`,
);

/** First uses of access tokens, which tell that the refresh they came with has arrived. */
@Injectable()
export class Arrivals {
  constructor(private readonly dataSource: DataSource) {}

  /**
   * Notes that the answer with this generation has arrived: an access token of it was used. Only the
   * first note of a generation counts, on whatever replica; one of an earlier generation changes nothing.
   */
  async note(grantId: string, generation: number): Promise<void> {
    await NOTE.run(this.dataSource, [generation, grantId]);
  }
}
