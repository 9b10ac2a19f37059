import { Module } from '@nestjs/common';
import {
  ADMINISTRATION_OPTIONS,
  ConfigurableModuleClass,
} from './administration.module-definition.js';

/** What the operations of administration need; who imports it brings their controllers. */
@Module({ exports: [ADMINISTRATION_OPTIONS] })
export class AdministrationModule extends ConfigurableModuleClass {}
