import { Module } from '@nestjs/common';
import { AccountTurns } from './account-turns.js';

/** The one queue of each account's turns: modules that import this share it. */
@Module({ providers: [AccountTurns], exports: [AccountTurns] })
export class AccountTurnsModule {}
