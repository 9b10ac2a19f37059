import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { SweeperService } from '#libs/database';
import { AuditEventEntity } from './audit-event.entity.js';

@Injectable()
export class AuditSweeperService extends SweeperService {
  constructor(dataSource: DataSource) {
    super(dataSource, [{ entity: AuditEventEntity, key: 'id' }]);
  }
}
