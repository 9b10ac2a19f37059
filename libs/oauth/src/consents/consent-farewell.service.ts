import { Injectable, type OnModuleInit } from '@nestjs/common';
import { UserDeletionService } from '#libs/accounts';
import { ConsentEntity } from './consent.entity.js';

/** Consents that wait for an answer go with their account; grants and tokens do by foreign keys. */
@Injectable()
export class ConsentFarewellService implements OnModuleInit {
  constructor(private readonly deletions: UserDeletionService) {}

  onModuleInit() {
    this.deletions.before(async (manager, userId) => {
      await manager.delete(ConsentEntity, { userId });
    });
  }
}
