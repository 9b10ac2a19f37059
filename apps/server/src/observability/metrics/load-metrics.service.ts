import { Injectable } from '@nestjs/common';
import { Counter, Gauge, Registry } from 'prom-client';
import { LoadShedder } from '#libs/platform';
import { UnreadAnswers } from '../../http/unread-answers.js';

/** The load of this replica, read at each scrape. */
@Injectable()
export class LoadMetricsService {
  constructor(registry: Registry, load: LoadShedder, answers: UnreadAnswers) {
    const registers = [registry];
    const gauge = (name: string, help: string, read: () => number) => {
      const one: Gauge = new Gauge({ name, help, registers, collect: () => one.set(read()) });
    };
    gauge('gatehouse_requests_at_work', 'Requests worked on just now', () => load.atWork);
    gauge('gatehouse_body_bytes', 'Memory that unfinished bodies take', () => load.bodies.bytes);
    gauge(
      'gatehouse_answer_bytes',
      'Memory that answers take which their clients have not read',
      () => answers.held.bytes,
    );
    const counter = (name: string, help: string, counts: Readonly<Record<string, number>>) => {
      const collect = () => {
        one.reset();
        for (const [bound, count] of Object.entries(counts)) one.inc({ bound }, count);
      };
      const one = new Counter({ name, help, labelNames: ['bound'], registers, collect });
    };
    counter(
      'gatehouse_shed_requests_total',
      'Requests turned away with 503 because there was too much to do, by what there was too much of',
      load.refused,
    );
    counter(
      'gatehouse_cut_answers_total',
      'Answers cut because their clients did not read them, by what they took too much of',
      answers.cut,
    );
  }
}
