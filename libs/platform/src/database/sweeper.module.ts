import { Module } from '@nestjs/common';
import { SweeperService } from './sweeper.service.js';

/** Imported by modules that register sweeps of their tables with the one SweeperService. */
@Module({ providers: [SweeperService], exports: [SweeperService] })
export class SweeperModule {}
