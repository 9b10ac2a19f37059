import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { SweeperService } from '#libs/database';
import { AccountSessionsService } from './account-sessions.service.js';
import { SessionEntity } from './session.entity.js';

@Injectable()
export class SessionSweeperService extends SweeperService {
  private isBroughtDown = false;

  constructor(
    dataSource: DataSource,
    private readonly sessions: AccountSessionsService,
  ) {
    super(dataSource, [{ entity: SessionEntity, key: 'tokenHash' }]);
  }

  override async sweep() {
    await super.sweep();
    if (!this.isBroughtDown) await this.sessions.bringDown();
    this.isBroughtDown = true;
  }
}
