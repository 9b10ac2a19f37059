import { Module } from '@nestjs/common';
import { AccountTurns, AccountTurnsModule, defineModule } from '#libs/platform';
import { ContentScreener } from './content-screener.js';
import { ScreeningService } from './screening.service.js';
import { WordListScreener } from './word-list-screener.js';

interface ScreeningOptions {
  readonly webhookUrl: string | undefined;
}

const { ConfigurableModuleClass, MODULE_OPTIONS_TOKEN } =
  defineModule<ScreeningOptions>('Screening');

/** `providers` may replace ContentScreener; `imports` has to bring BudgetModule. */
@Module({
  imports: [AccountTurnsModule],
  providers: [
    ScreeningService,
    {
      provide: ContentScreener,
      useFactory: async ({ webhookUrl }: ScreeningOptions, turns: AccountTurns) => {
        if (webhookUrl === undefined) return new WordListScreener(turns);
        // Loaded on demand, together with the library that only this adapter uses.
        const { WebhookScreener } = await import('./webhook-screener.js');
        return new WebhookScreener(webhookUrl);
      },
      inject: [MODULE_OPTIONS_TOKEN, AccountTurns],
    },
  ],
  exports: [ScreeningService],
})
export class ScreeningModule extends ConfigurableModuleClass {}
