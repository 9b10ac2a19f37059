import { Gauge, type Registry } from 'prom-client';
import { readServiceVersion } from '../../config/service-version.js';

/** Shows the version as other services do: a gauge of 1 with labels. */
export function showBuildInfo(registry: Registry): void {
  const gauge = new Gauge({
    name: 'gatehouse_build_info',
    help: 'Always 1; its label is the version that runs',
    labelNames: ['version'],
    registers: [registry],
  });
  gauge.set({ version: readServiceVersion() }, 1);
}
