import type { Page } from 'playwright-core';

/**
 * Records what must not happen on a page, as it happens: errors, the browser's own dialogs, violations of its policy.
 */
export function recordComplaints(page: Page): string[] {
  const complaints: string[] = [];
  page.on('pageerror', (error) => complaints.push(String(error)));
  page.on('dialog', (opened) => complaints.push(opened.message()));
  page.on('console', (message) => {
    if (/Content.Security.Policy/i.test(message.text())) complaints.push(message.text());
  });
  return complaints;
}
