import type { Config } from '../../config/config.js';
import { fail, type Finding, ok, warn } from '../finding.js';

const NODE_MAJOR = 24;

/** What the process itself is: its Node, and the mode that NODE_ENV puts libraries in. */
export function* processFindings(
  version: string,
  mode: string | undefined,
  { publicOrigins }: Pick<Config, 'publicOrigins'>,
): Iterable<Finding> {
  const major = Number(/^v(\d+)\./.exec(version)?.[1]);
  yield major >= NODE_MAJOR
    ? ok(`Node ${version}`)
    : fail(`Node is ${version}`, `use Node ${NODE_MAJOR} or later`);

  if (mode === 'production') yield ok('NODE_ENV is production');
  else if (publicOrigins?.some((origin) => origin.startsWith('https:'))) {
    yield warn(
      'PUBLIC_ORIGINS has https origins, but NODE_ENV is not production',
      'set NODE_ENV=production where people use the service: it refuses what is for development only',
    );
  } else yield ok('NODE_ENV is not production: for development');
}
