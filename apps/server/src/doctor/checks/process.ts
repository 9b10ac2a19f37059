import type { Config } from '../../config/config.js';
import { type Finding, ok, warn } from '../finding.js';

/** What the process itself is: its Node, and the mode that NODE_ENV puts libraries in. */
export function* processFindings(
  version: string,
  mode: string | undefined,
  { publicOrigins, misspelt }: Pick<Config, 'publicOrigins' | 'misspelt'>,
): Iterable<Finding> {
  yield ok(`Node ${version}`);
  if (mode === 'production') yield ok('NODE_ENV is production');
  else if (publicOrigins?.some((origin) => origin.startsWith('https:'))) {
    yield warn(
      'PUBLIC_ORIGINS has https origins, but NODE_ENV is not production',
      'set NODE_ENV=production where people use the service: it refuses what is for development only',
    );
  } else yield ok('NODE_ENV is not production: for development');
  for (const line of misspelt) yield warn(line, 'correct its name, or take it away');
}
