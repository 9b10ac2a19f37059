import { Injectable, type OnModuleInit } from '@nestjs/common';
import { UserDeletionService } from '#libs/accounts';
import { ConsentEntity } from './consent.entity.js';

/** Deletes unanswered consents with their account; foreign keys delete its grants and tokens. */
@Injectable()
export class ConsentFarewellService implements OnModuleInit {
  constructor(private readonly deletions: UserDeletionService) {}

  onModuleInit() {
    this.deletions.before(async (manager, userId) => {
      await manager.delete(ConsentEntity, { userId });
    });
  }
}
