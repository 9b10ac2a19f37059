import { Module } from '@nestjs/common';
import { ConfigurableModuleClass } from './admin-api.module-definition.js';
import { ReplicaService } from '../replica/replica.service.js';
import { AdminApiService } from './admin-api.service.js';

/** The administration API over HTTP, without a listener of its own. */
@Module({ providers: [AdminApiService, ReplicaService], exports: [AdminApiService] })
export class AdminApiModule extends ConfigurableModuleClass {}
