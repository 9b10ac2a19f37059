import { Module } from '@nestjs/common';
import { ConfigurableModuleClass } from './admin-api.module-definition.js';
import { AdminApiService } from './admin-api.service.js';

/** Administration over HTTP, for whichever listener it is put on. */
@Module({ providers: [AdminApiService], exports: [AdminApiService] })
export class AdminApiModule extends ConfigurableModuleClass {}
