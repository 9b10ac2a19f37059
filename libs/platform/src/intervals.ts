import { ScheduleModule } from '@nestjs/schedule';

/**
 * Runs the `@Interval`, `@Cron` and `@Timeout` methods of all providers of an application, also of a team's. Every
 * module imports this one object: Nest would run the methods once for each ScheduleModule that it is given.
 */
export const Intervals = ScheduleModule.forRoot();
