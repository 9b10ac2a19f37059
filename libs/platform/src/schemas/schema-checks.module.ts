import { Module } from '@nestjs/common';
import { SchemaChecks } from './schema-checks.service.js';

/** The one thread for schemas of strangers: modules that import this share it. */
@Module({ providers: [SchemaChecks], exports: [SchemaChecks] })
export class SchemaChecksModule {}
