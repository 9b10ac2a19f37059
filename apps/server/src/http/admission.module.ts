import { type MiddlewareConsumer, Module, type NestModule } from '@nestjs/common';
import { turnAway } from './admission.middleware.js';

/**
 * Turns away requests that the admission middleware refused. Its place among the imports matters: after the modules
 * of the service, whose middleware lets pages of any origin read refusals, and before those of extensions.
 */
@Module({})
export class AdmissionModule implements NestModule {
  configure(consumer: MiddlewareConsumer) {
    consumer.apply(turnAway).forRoutes('{*path}');
  }
}
