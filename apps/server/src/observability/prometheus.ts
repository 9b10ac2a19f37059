import { Counter, Gauge, type Registry } from 'prom-client';

export { collectDefaultMetrics, Counter, Gauge, Histogram, Registry } from 'prom-client';

interface Description<Label extends string> {
  readonly name: string;
  readonly help: string;
  readonly labelNames?: readonly Label[];
}

/** Registers a counter whose counts are kept elsewhere: at each scrape `addTo` adds them to 0. */
export function scrapedCounter<Label extends string = never>(
  registry: Registry,
  { labelNames = [], ...description }: Description<Label>,
  addTo: (counter: Counter<Label>) => void,
): void {
  const counter: Counter<Label> = new Counter({
    ...description,
    labelNames,
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
