import { Counter, Registry } from 'prom-client';
import type { IssuerKeysService } from '#libs/oauth';

/** Counts the fetches of trusted issuers' keys, read at each scrape; nothing where no issuer is trusted. */
export function showIssuerKeys(registry: Registry, { fetches }: IssuerKeysService): void {
  if (fetches.size === 0) return;
  const counter: Counter<'issuer' | 'outcome'> = new Counter({
    name: 'gatehouse_issuer_key_fetches_total',
    help: 'Fetches of the keys of trusted issuers by outcome',
    labelNames: ['issuer', 'outcome'],
    registers: [registry],
    collect: () => {
      counter.reset();
      for (const [issuer, counts] of fetches) {
        for (const [outcome, count] of Object.entries(counts)) {
          counter.inc({ issuer, outcome }, count);
        }
      }
    },
  });
}
