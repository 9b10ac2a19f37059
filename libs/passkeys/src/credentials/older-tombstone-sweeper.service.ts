import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { SweeperService } from '#libs/database';
import { buryOlder } from './tombstones.sql.js';

/** Moves the tombstones that replicas of an older version left. */
@Injectable()
export class OlderTombstoneSweeperService extends SweeperService {
  constructor(private readonly storage: DataSource) {
    super(storage, []);
  }

  override async sweep() {
    let moved = await buryOlder(this.storage);
    while (moved > 0) moved = await buryOlder(this.storage);
  }
}
