import { Injectable } from '@nestjs/common';
import { Counter, ReadinessChecks, Registry } from 'gatehouse';

/** Would ask the team's own stock service; counts how often it was asked. */
@Injectable()
export class StockService {
  isReachable = true;
  private readonly asked: Counter;

  constructor(registry: Registry, readiness: ReadinessChecks) {
    this.asked = new Counter({
      name: 'acme_stock_questions_total',
      help: 'Questions to the stock service',
      registers: [registry],
    });
    readiness.add('stock', () => this.ask());
  }

  private async ask() {
    this.asked.inc();
    if (!this.isReachable) throw new Error('the stock service does not answer');
  }
}
