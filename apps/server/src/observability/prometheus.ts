import { Counter, type CounterConfiguration, Gauge, type Registry } from 'prom-client';

export { collectDefaultMetrics, Counter, Gauge, Histogram, Registry } from 'prom-client';

/** Registers a counter whose counts are kept elsewhere: at each scrape `addTo` adds them to 0. */
export function scrapedCounter<Label extends string>(
  registry: Registry,
  description: Pick<CounterConfiguration<Label>, 'name' | 'help' | 'labelNames'>,
  addTo: (counter: Counter<Label>) => void,
): void {
  const counter: Counter<Label> = new Counter({
    ...description,
    registers: [registry],
    collect: () => {
      counter.reset();
      addTo(counter);
    },
  });
}

/** Registers a gauge without labels that is read at each scrape. */
export function scrapedGauge(registry: Registry, name: string, help: string, read: () => number) {
  const gauge: Gauge = new Gauge({
    name,
    help,
    registers: [registry],
    collect: () => gauge.set(read()),
  });
}
