import formats from 'ajv-formats';

/** Those that every dialect has and that are told without going back in the text. */
const NAMES = [
  'date',
  'time',
  'date-time',
  'duration',
  'email',
  'ipv4',
  'ipv6',
  'uri',
  'uuid',
] as const;
const CHECKS = new Map<string, unknown>(NAMES.map((name) => [name, formats.default.get(name)]));
CHECKS.set('uri', formats.default.get('uri', 'fast'));
CHECKS.set('email', formats.default.get('email', 'fast'));

/** Longer texts are not looked at. */
const MAX_LENGTH = 2048;

/** Whether a text is of a format; of one that is not known here, everything is. */
export function fitsFormat(name: string, text: string): boolean {
  const check = CHECKS.get(name);
  if (check === undefined || text.length > MAX_LENGTH) return true;
  return test(check, text);
}

function test(check: unknown, text: string): boolean {
  if (check instanceof RegExp) return check.test(text);
  if (typeof check === 'function') return Boolean(check(text));
  const { validate } = check as { validate: unknown };
  return test(validate, text);
}
