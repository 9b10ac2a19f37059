import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { Page } from 'playwright-core';

const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

/** What axe-core finds wrong with the page as it is now, as `rule: elements`. */
export async function accessibilityViolations(page: Page): Promise<readonly string[]> {
  if (!(await page.evaluate(() => 'axe' in globalThis))) await page.evaluate(AXE);
  return page.evaluate(async () =>
    (await axe.run({ preload: false, resultTypes: ['violations'] })).violations.map(
      ({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join()}`,
    ),
  );
}

interface Axe {
  run(options: {
    readonly preload: boolean;
    readonly resultTypes: readonly 'violations'[];
  }): Promise<{
    readonly violations: readonly {
      readonly id: string;
      readonly nodes: readonly { readonly html: string }[];
    }[];
  }>;
}
declare const axe: Axe;
