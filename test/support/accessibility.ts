import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { Page } from 'playwright-core';

const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

const WIDE = { width: 1200, height: 800 };
const NARROW = { width: 320, height: 600 };
const LOOKS = [
  ['light, wide', 'light', WIDE],
  ['dark, wide', 'dark', WIDE],
  ['light, 320 px', 'light', NARROW],
  ['dark, 320 px', 'dark', NARROW],
] as const;

/**
 * The faults of the page in its current state and in every look: violations that axe-core finds, and content wider
 * than the window or its container. The page is loaded once, because loads take most of the time.
 */
export async function problemsInEveryLook(page: Page): Promise<readonly string[]> {
  const problems: string[] = [];
  for (const [look, colorScheme, viewport] of LOOKS) {
    // Without motion, so that no colour is in transition from one scheme to the other.
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
    await page.setViewportSize(viewport);
    const violations = await accessibilityViolations(page);
    problems.push(...violations.map((violation) => `${look}: ${violation}`));
    const width = await page.evaluate(() => document.documentElement.scrollWidth);
    if (width !== viewport.width) problems.push(`${look}: ${width} px wide`);
    problems.push(...(await page.evaluate(WIDER)).map((words) => `${look}: "${words}" sticks out`));
  }
  return problems;
}

/** The violations that axe-core finds in the current page, as `rule: elements`. */
export async function accessibilityViolations(page: Page): Promise<readonly string[]> {
  if (!(await page.evaluate(() => 'axe' in globalThis))) await page.evaluate(AXE);
  return page.evaluate(async () =>
    (await axe.run({ preload: false, resultTypes: ['violations'] })).violations.map(
      ({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join()}`,
    ),
  );
}

/** The texts of elements whose content overflows them. */
const WIDER = () =>
  [...document.querySelectorAll('main p, main h1, main h2, main dd, main button')]
    .filter(({ scrollWidth, clientWidth }) => scrollWidth > clientWidth)
    .map(({ innerText }) => innerText);

interface Box {
  readonly scrollWidth: number;
  readonly clientWidth: number;
  readonly innerText: string;
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
declare const document: {
  readonly documentElement: Box;
  querySelectorAll(selector: string): Iterable<Box>;
};
