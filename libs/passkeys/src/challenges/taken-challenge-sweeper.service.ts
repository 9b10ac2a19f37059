import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { SweeperService } from '#libs/database';
import { TakenChallengeEntity } from './taken-challenge.entity.js';

@Injectable()
export class TakenChallengeSweeperService extends SweeperService {
  constructor(dataSource: DataSource) {
    super(dataSource, [{ entity: TakenChallengeEntity, key: 'challengeHash' }]);
  }
}
