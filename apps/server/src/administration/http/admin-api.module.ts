import { Module } from '@nestjs/common';
import { ConfigurableModuleClass } from './admin-api.module-definition.js';
import { ReplicaService } from '../replica/replica.service.js';
import { AdminApiService } from './admin-api.service.js';

/** Administration over HTTP, for whichever listener it is put on. */
@Module({ providers: [AdminApiService, ReplicaService], exports: [AdminApiService] })
export class AdminApiModule extends ConfigurableModuleClass {}
