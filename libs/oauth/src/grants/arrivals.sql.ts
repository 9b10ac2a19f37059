import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { PreparedStatement } from '#libs/platform';

const NOTE = new PreparedStatement(
  'note-arrival',
  ({ now }) => `
    UPDATE oauth_grants SET arrived_generation = $1, arrived_at = ${now}
    WHERE id = $2 AND arrived_generation < $1`,
);

/** Records first uses of access tokens, which show that the response of their refresh reached the client. */
@Injectable()
export class Arrivals {
  constructor(private readonly dataSource: DataSource) {}

  /**
   * Records that the response with this generation reached the client: an access token of it was used. Only
   * the first call for a generation counts, across all replicas; an earlier generation changes nothing.
   */
  async note(grantId: string, generation: number): Promise<void> {
    await NOTE.run(this.dataSource, [generation, grantId]);
  }
}
