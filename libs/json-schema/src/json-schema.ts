import type { JsonObject } from '#libs/json';
import { arrayRules } from './array-rules.js';
import { combiningRules } from './combining-rules.js';
import { Evaluation, ExhaustedError } from './evaluation.js';
import { misfitText } from './misfit-text.js';
import { objectRules } from './object-rules.js';
import { valueRules } from './value-rules.js';

/** In the order in which they are looked at: what counts members comes before what is left of them. */
const RULES = new Map([...valueRules, ...objectRules, ...arrayRules, ...combiningRules]);

/**
 * What of a JSON value a schema does not take, in words; undefined when it fits. The schema is one that
 * {@link schemaFault} has nothing against, of whoever, and the value at most 100 levels deep. A check
 * that would take more than about a tenth of a second is given up, and says so. A pattern that looks
 * ahead or back is not looked at.
 */
export function misfitIn(schema: JsonObject, value: unknown): string | undefined {
  try {
    const misfit = new Evaluation(schema, RULES).checkInside(schema, value, []);
    return misfit && misfitText(misfit);
  } catch (error) {
    if (error instanceof ExhaustedError) return 'checking them takes too long; send less';
    throw error;
  }
}
