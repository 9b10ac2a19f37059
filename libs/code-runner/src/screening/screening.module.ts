import { Module } from '@nestjs/common';
import { defineModule } from '#libs/platform';
import { ContentScreener } from './content-screener.js';
import { ScreeningService } from './screening.service.js';
import { WordListScreener } from './word-list.adapter.js';

interface ScreeningOptions {
  /** Asked instead of the word list when it is set. */
  readonly webhookUrl: string | undefined;
}

const { ConfigurableModuleClass, MODULE_OPTIONS_TOKEN } =
  defineModule<ScreeningOptions>('Screening');

/** `providers` may replace ContentScreener; `imports` brings what the screening needs: BudgetModule. */
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
      inject: [MODULE_OPTIONS_TOKEN],
    },
  ],
  exports: [ScreeningService],
})
export class ScreeningModule extends ConfigurableModuleClass {}
