import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { SweeperModule, SweeperService, expiredRows } from '#libs/platform';
import { EventSink } from './event-sink.js';
import { OutboxClaims } from './outbox.store.js';
import { OutboxDeliveryService, WEBHOOK } from './outbox-delivery.service.js';
import { OutboxDirectory } from './outbox-directory.store.js';
import { OutboxEventEntity, OutboxQueueEntity } from './outbox.entity.js';
import {
  ConfigurableModuleClass,
  OUTBOX_OPTIONS,
  type OutboxOptions,
} from './outbox.module-definition.js';
import { OutboxService } from './outbox.service.js';
import { WebhookSink } from './webhook-sink.js';

@Module({
  imports: [SweeperModule, TypeOrmModule.forFeature([OutboxEventEntity, OutboxQueueEntity])],
  providers: [
    OutboxClaims,
    OutboxDeliveryService,
    OutboxDirectory,
    OutboxService,
    { provide: EventSink, useValue: null },
    {
      provide: WEBHOOK,
      useFactory: ({ webhook }: OutboxOptions) => webhook && new WebhookSink(webhook),
      inject: [OUTBOX_OPTIONS],
    },
  ],
  exports: [OutboxDirectory, OutboxService],
})
export class OutboxModule extends ConfigurableModuleClass {
  constructor(sweeper: SweeperService) {
    super();
    sweeper.add(expiredRows(OutboxEventEntity, 'id'));
  }
}
