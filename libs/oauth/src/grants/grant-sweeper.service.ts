import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { SweeperService } from '#libs/database';
import { ConsentEntity } from '../consents/consent.entity.js';
import { GrantEntity } from './grant.entity.js';
import { TokenEntity } from './token.entity.js';

/** Revoked grants stay until they would have expired; their tokens go with them. */
@Injectable()
export class GrantSweeperService extends SweeperService {
  constructor(dataSource: DataSource) {
    super(dataSource, [
      { entity: TokenEntity, key: 'idHash' },
      { entity: GrantEntity, key: 'id' },
      { entity: ConsentEntity, key: 'handleHash' },
    ]);
  }
}
