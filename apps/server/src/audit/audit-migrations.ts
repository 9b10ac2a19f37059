import { Audit0001Migration1795219200005 } from './audit-0001.migration.js';
import { Audit0002Migration1795305600031 } from './audit-0002.migration.js';
import { Audit0003Migration1795305600032 } from './audit-0003.migration.js';
import { Audit0004Migration1795305600033 } from './audit-0004.migration.js';
import { Audit0005Migration1795320100005 } from './audit-0005.migration.js';
import { Audit0006Migration1795320200006 } from './audit-0006.migration.js';
import { Audit0007Migration1795430000007 } from './audit-0007.migration.js';
import { Audit0008Migration1795440000008 } from './audit-0008.migration.js';
import { Audit0009Migration1795500000009 } from './audit-0009.migration.js';
import { Audit0010Migration1795800000010 } from './audit-0010.migration.js';
import { Audit0011Migration1796000000011 } from './audit-0011.migration.js';

/** In the order in which they run. Only ever append to this list. */
export const auditMigrations = [
  Audit0001Migration1795219200005,
  Audit0002Migration1795305600031,
  Audit0003Migration1795305600032,
  Audit0004Migration1795305600033,
  Audit0005Migration1795320100005,
  Audit0006Migration1795320200006,
  Audit0007Migration1795430000007,
  Audit0008Migration1795440000008,
  Audit0009Migration1795500000009,
  Audit0010Migration1795800000010,
  Audit0011Migration1796000000011,
];
