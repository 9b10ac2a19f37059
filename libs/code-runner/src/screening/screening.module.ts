import { Module } from '@nestjs/common';
import { ContentScreener } from './content-screener.js';
import {
  ConfigurableModuleClass,
  SCREENING_OPTIONS,
  type ScreeningOptions,
} from './screening.module-definition.js';
import { ScreeningService } from './screening.service.js';
import { WebhookScreener } from './webhook.adapter.js';
import { WordListScreener } from './word-list.adapter.js';

@Module({
  providers: [
    ScreeningService,
    {
      provide: ContentScreener,
      useFactory: ({ webhookUrl }: ScreeningOptions) =>
        webhookUrl === undefined ? new WordListScreener() : new WebhookScreener(webhookUrl),
      inject: [SCREENING_OPTIONS],
    },
  ],
  exports: [ScreeningService],
})
export class ScreeningModule extends ConfigurableModuleClass {}
