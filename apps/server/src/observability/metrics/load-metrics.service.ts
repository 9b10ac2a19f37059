import { Injectable } from '@nestjs/common';
import { LoadShedder } from '#libs/platform';
import { UnreadAnswers } from '../../http/unread-answers.js';
import { Registry, scrapedCounter, scrapedGauge } from '../prometheus.js';

/** The load of this replica, read at each scrape. */
@Injectable()
export class LoadMetricsService {
  constructor(registry: Registry, load: LoadShedder, answers: UnreadAnswers) {
    scrapedGauge(
      registry,
      'gatehouse_requests_at_work',
      'Requests worked on just now',
      () => load.atWork,
    );
    scrapedGauge(
      registry,
      'gatehouse_body_bytes',
      'Memory that unfinished bodies take',
      () => load.bodies.bytes,
    );
    scrapedGauge(
      registry,
      'gatehouse_answer_bytes',
      'Memory that answers take which their clients have not read',
      () => answers.held.bytes,
    );
    const byBound = (name: string, help: string, counts: Readonly<Record<string, number>>) =>
      scrapedCounter(registry, { name, help, labelNames: ['bound'] }, (counter) => {
        for (const [bound, count] of Object.entries(counts)) counter.inc({ bound }, count);
      });
    byBound(
      'gatehouse_shed_requests_total',
      'Requests turned away with 503 because there was too much to do, by what there was too much of',
      load.refused,
    );
    byBound(
      'gatehouse_cut_answers_total',
      'Answers cut because their clients did not read them, by what they took too much of',
      answers.cut,
    );
  }
}
