import { SchemaChecks } from '#libs/platform';
import { eventually } from '#libs/platform/testing';
import type { Gatehouse } from './gatehouse.js';

/**
 * Resolves when the thread that checks schemas has started: on a busy machine that may take longer than the second after
 * which a call is refused.
 */
export const startSchemaChecks = ({ app }: Pick<Gatehouse, 'app'>) =>
  eventually(async () => {
    const checks = app.get(SchemaChecks, { strict: false });
    expect(await checks.mismatch('an account', { type: 'object' }, {})).toBeUndefined();
  });
