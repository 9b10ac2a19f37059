import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { SweeperService } from '#libs/database';
import { SessionEntity } from './session.entity.js';

@Injectable()
export class SessionSweeperService extends SweeperService {
  constructor(dataSource: DataSource) {
    super(dataSource, [{ entity: SessionEntity, key: 'tokenHash' }]);
  }
}
