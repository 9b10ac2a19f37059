import { Module } from '@nestjs/common';
import { SweeperService } from './sweeper.service.js';

/** Imported by modules that add sweeps of their tables to the one SweeperService. */
@Module({ providers: [SweeperService], exports: [SweeperService] })
export class SweeperModule {}
