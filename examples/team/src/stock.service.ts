import { Injectable } from '@nestjs/common';
import { Counter, inSpan, ReadinessChecks, Registry, traceHeaders } from 'gatehouse';
import { whileWaiting } from 'gatehouse/platform';

const PATIENCE_MS = 2000;

/** The team's own stock service; whether it is there is only pretended. */
@Injectable()
export class StockService {
  isReachable = true;
  address = 'http://localhost:4000';
  private readonly asked: Counter;

  constructor(registry: Registry, readiness: ReadinessChecks) {
    this.asked = new Counter({
      name: 'acme_stock_questions_total',
      help: 'Questions to the stock service',
      registers: [registry],
    });
    readiness.add('stock', () => this.ask());
  }

  /** How many anvils of a size there are. */
  countOf(size: string): Promise<number> {
    return inSpan(
      () => ({ name: 'acme stock', kind: 'client', attributes: { 'acme.size': size } }),
      async (span) => {
        const signal = AbortSignal.timeout(PATIENCE_MS);
        const address = new URL(`/anvils/${size}`, this.address);
        const ask = () => fetch(address, { headers: traceHeaders(), signal });
        const count = Number(await (await whileWaiting(ask)).text());
        span?.set({ 'acme.count': count });
        return count;
      },
    );
  }

  private async ask() {
    this.asked.inc();
    if (!this.isReachable) throw new Error('the stock service does not answer');
  }
}
