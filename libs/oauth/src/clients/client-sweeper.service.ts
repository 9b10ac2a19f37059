import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { SweeperService } from '#libs/database';
import { AssertionEntity } from './assertion.entity.js';
import { RegisteredClientEntity } from './registered-client.entity.js';

@Injectable()
export class ClientSweeperService extends SweeperService {
  constructor(dataSource: DataSource) {
    super(dataSource, [
      { entity: RegisteredClientEntity, key: 'id' },
      { entity: AssertionEntity, key: 'idHash' },
    ]);
  }
}
