import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { SweeperService } from '#libs/database';
import { RecoveryCodeEntity } from './recovery-code.entity.js';

@Injectable()
export class RecoveryCodeSweeperService extends SweeperService {
  constructor(dataSource: DataSource) {
    super(dataSource, [{ entity: RecoveryCodeEntity, key: 'codeHash' }]);
  }
}
