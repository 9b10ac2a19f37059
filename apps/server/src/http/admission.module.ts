import { type MiddlewareConsumer, Module, type NestModule } from '@nestjs/common';
import { turnAway } from './admission.middleware.js';

/**
 * Turns away what the admission refused. Its place among the imports counts: behind the modules of
 * the service, whose middleware lets pages of any origin read refusals, and before those of teams.
 */
@Module({})
export class AdmissionModule implements NestModule {
  configure(consumer: MiddlewareConsumer) {
    consumer.apply(turnAway).forRoutes('{*path}');
  }
}
