import type { Section } from './check.js';
import type { Finding, Severity } from './finding.js';

const COLOURS: Readonly<Record<Severity, number>> = { ok: 32, warn: 33, FAIL: 31 };

/** The report as text: a heading for each section, and each finding after its severity. */
export function report(sections: readonly Section[], colours: boolean): string {
  const label = (severity: Severity) =>
    colours ? `\u001B[${COLOURS[severity]}m${severity.padEnd(4)}\u001B[0m` : severity.padEnd(4);
  const lines = sections.flatMap(({ title, findings }) => [
    printable(title),
    ...findings.flatMap(({ severity, text, remedy }) => [
      `  ${label(severity)}  ${printable(text)}`,
      ...(remedy === undefined ? [] : [`        -> ${printable(remedy)}`]),
    ]),
    '',
  ]);
  return [...lines, summary(sections), ''].join('\n');
}

export const hasFailed = (sections: readonly Section[]): boolean => count(sections, 'FAIL') > 0;

function summary(sections: readonly Section[]) {
  const failures = count(sections, 'FAIL');
  const warnings = count(sections, 'warn');
  if (failures + warnings === 0) return 'Nothing is wrong.';
  return `${amount(failures, 'failure')}, ${amount(warnings, 'warning')}.`;
}

const amount = (n: number, noun: string) => `${n} ${noun}${n === 1 ? '' : 's'}`;

const count = (sections: readonly Section[], severity: Severity) =>
  allOf(sections).filter((finding) => finding.severity === severity).length;

const allOf = (sections: readonly Section[]): Finding[] =>
  sections.flatMap(({ findings }) => findings);

/** Some words come from the servers under test and must not control a terminal. */
const printable = (text: string) => text.replaceAll(/[^\u0020-\u007E]/gu, '?');
