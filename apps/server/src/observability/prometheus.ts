import {
  Counter,
  type CounterConfiguration,
  Gauge,
  type Metric,
  Registry as TeamRegistry,
} from 'prom-client';

export { collectDefaultMetrics, Counter, Gauge, Histogram } from 'prom-client';

/** What teams know as `Registry`. */
export { TeamRegistry };

/** The metrics of this process. The service registers its own here. */
export class Registry extends TeamRegistry {
  /**
   * The same metrics, where a name of the service is an error also under settings with which the service has no such
   * metric.
   */
  forTeams(): TeamRegistry {
    const registerMetric = (metric: Metric & { readonly name?: string }) => {
      const { name = '' } = metric;
      if (!NAMES_OF_SERVICE.test(name)) return this.registerMetric(metric);
      const error = new Error(
        `the metric ${name} cannot be registered: names that begin with gatehouse_, nodejs_ or process_ are the service's`,
      );
      // The line that a failed start shows is the team's.
      Error.captureStackTrace(error, registerMetric);
      throw error;
    };
    return Object.create(this, { registerMetric: { value: registerMetric } }) as TeamRegistry;
  }
}

const NAMES_OF_SERVICE = /^(?:gatehouse|nodejs|process)_/;

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
