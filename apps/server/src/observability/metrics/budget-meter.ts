import { Injectable } from '@nestjs/common';
import { BudgetMeter } from '#libs/budget';
import { Counter, Registry } from '../prometheus.js';

@Injectable()
export class MetricsBudgetMeter extends BudgetMeter {
  private readonly reservedCredits: Counter;
  private readonly returnedCredits: Counter;
  private readonly refusals: Counter;
  private readonly failures: Counter;

  constructor(registry: Registry) {
    super();
    const counter = (name: string, help: string) =>
      new Counter({ name, help, registers: [registry] });
    this.reservedCredits = counter(
      'gatehouse_budget_reserved_credits_total',
      'Credits charged ahead',
    );
    this.returnedCredits = counter(
      'gatehouse_budget_returned_credits_total',
      'Credits given back unused',
    );
    this.refusals = counter('gatehouse_budget_refusals_total', 'Charges beyond the daily limit');
    this.failures = counter('gatehouse_budget_failures_total', 'What the store did not answer');
  }

  override reserved(credits: number) {
    this.reservedCredits.inc(credits);
  }

  override returned(credits: number) {
    this.returnedCredits.inc(credits);
  }

  override refused() {
    this.refusals.inc();
  }

  override failed() {
    this.failures.inc();
  }
}
