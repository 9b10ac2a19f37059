import { Accounts0001Migration1795219200001 } from './accounts-0001.migration.js';
import { Accounts0002Migration1795318300001 } from './accounts-0002.migration.js';
import { Accounts0003Migration1795320000003 } from './accounts-0003.migration.js';
import { Accounts0004Migration1795320100001 } from './accounts-0004.migration.js';
import { Accounts0005Migration1795320100011 } from './accounts-0005.migration.js';
import { Accounts0006Migration1795326000006 } from './accounts-0006.migration.js';
import { Accounts0007Migration1795392000007 } from './accounts-0007.migration.js';
import { Accounts0008Migration1795460000008 } from './accounts-0008.migration.js';
import { Accounts0009Migration1795811900009 } from './accounts-0009.migration.js';

/** In the order they run; listed explicitly, never found by a pattern. */
export const accountsMigrations = [
  Accounts0001Migration1795219200001,
  Accounts0002Migration1795318300001,
  Accounts0003Migration1795320000003,
  Accounts0004Migration1795320100001,
  Accounts0005Migration1795320100011,
  Accounts0006Migration1795326000006,
  Accounts0007Migration1795392000007,
  Accounts0008Migration1795460000008,
  Accounts0009Migration1795811900009,
];
