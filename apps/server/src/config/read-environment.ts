import { plainToInstance } from 'class-transformer';
import { validateSync } from 'class-validator';
import { Environment } from './environment.js';
import { withVariableFiles } from './variable-files.js';

/**
 * The variables as they are set, here or in files, their names and those of OpenTelemetry's, the names of those that
 * hold a bad value, and what is wrong with the files, one line each. Empty is unset.
 */
export function readEnvironment(given: NodeJS.ProcessEnv = process.env) {
  const { variables, problems } = withVariableFiles(given);
  const set = Object.entries(variables).filter(([, value]) => value !== undefined && value !== '');
  const environment = plainToInstance(Environment, Object.fromEntries(set), {
    enableImplicitConversion: true,
    exposeDefaultValues: true,
  });
  const invalid = validateSync(environment, { forbidUnknownValues: false }).map((e) => e.property);
  const known = new Environment();
  const isOurs = (name: string) => Object.hasOwn(known, name) || name.startsWith('OTEL_');
  const names = set.map(([name]) => name).filter(isOurs);
  return { environment, names, invalid, problems };
}
