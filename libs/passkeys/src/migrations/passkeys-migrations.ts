import { Passkeys0001Migration1795219200002 } from './passkeys-0001.migration.js';
import { Passkeys0002Migration1795313900002 } from './passkeys-0002.migration.js';
import { Passkeys0003Migration1795318300002 } from './passkeys-0003.migration.js';
import { Passkeys0004Migration1795392000008 } from './passkeys-0004.migration.js';

/** In the order they run; listed explicitly, never found by a pattern. */
export const passkeysMigrations = [
  Passkeys0001Migration1795219200002,
  Passkeys0002Migration1795313900002,
  Passkeys0003Migration1795318300002,
  Passkeys0004Migration1795392000008,
];
