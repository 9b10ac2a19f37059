import { Module } from '@nestjs/common';
import { ContentScreener } from './content-screener.js';
import {
  ConfigurableModuleClass,
  SCREENING_OPTIONS,
  type ScreeningOptions,
} from './screening.module-definition.js';
import { ScreeningService } from './screening.service.js';
import { WordListScreener } from './word-list.adapter.js';

@Module({
  providers: [
    ScreeningService,
    {
      provide: ContentScreener,
      useFactory: async ({ webhookUrl }: ScreeningOptions) => {
        if (webhookUrl === undefined) return new WordListScreener();
        // With the library, which only this one takes.
        const { WebhookScreener } = await import('./webhook.adapter.js');
        return new WebhookScreener(webhookUrl);
      },
      inject: [SCREENING_OPTIONS],
    },
  ],
  exports: [ScreeningService],
})
export class ScreeningModule extends ConfigurableModuleClass {}
