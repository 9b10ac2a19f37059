import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { SweeperService } from '#libs/database';
import { OutboxEventEntity } from './outbox-event.entity.js';

@Injectable()
export class OutboxSweeperService extends SweeperService {
  constructor(dataSource: DataSource) {
    super(dataSource, [{ entity: OutboxEventEntity, key: 'id' }]);
  }
}
