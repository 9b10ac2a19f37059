import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { SweeperService } from '#libs/database';
import { InviteEntity } from './invite.entity.js';

@Injectable()
export class InviteSweeperService extends SweeperService {
  constructor(dataSource: DataSource) {
    super(dataSource, [{ entity: InviteEntity, key: 'id' }]);
  }
}
