import { Inject, Injectable, Module } from '@nestjs/common';
import { ModuleRef } from '@nestjs/core';
import { TypeOrmModule } from '@nestjs/typeorm';
import type { RequestHandler } from 'express';
import { expiredRows, SweeperModule, SweeperService } from '#libs/platform';
import { AdministrationPages } from '../admin/http/admin-api.module.js';
import {
  CONSOLE_OPTIONS,
  type ConsoleOptions,
  ConfigurableModuleClass,
} from './console.module-definition.js';
import { ConsoleSignOutEntity } from './sign-out.entity.js';

@Injectable()
class ConsolePages extends AdministrationPages {
  readonly path = '/console';

  constructor(
    private readonly modules: ModuleRef,
    @Inject(CONSOLE_OPTIONS) private readonly options: ConsoleOptions,
  ) {
    super();
  }

  /** The code of the pages is loaded on the first call. */
  async open(hosts: readonly string[], record: RequestHandler) {
    const { createConsoleApp } = await import('./console-app.js');
    return createConsoleApp(this.modules, this.options, hosts, record);
  }
}

/** What the running application has for the console; its pages are an application of their own (console-app.ts). */
@Module({
  imports: [SweeperModule, TypeOrmModule.forFeature([ConsoleSignOutEntity])],
  providers: [{ provide: AdministrationPages, useClass: ConsolePages }],
  exports: [AdministrationPages],
})
export class ConsoleModule extends ConfigurableModuleClass {
  constructor(sweeper: SweeperService) {
    super();
    sweeper.add(expiredRows(ConsoleSignOutEntity, 'id'));
  }
}
