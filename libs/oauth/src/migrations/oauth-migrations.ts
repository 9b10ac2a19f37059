import { OAuth0001Migration1795219200004 } from './oauth-0001.migration.js';
import { OAuth0002Migration1795305600001 } from './oauth-0002.migration.js';
import { OAuth0003Migration1795305600021 } from './oauth-0003.migration.js';
import { OAuth0004Migration1795319100014 } from './oauth-0004.migration.js';
import { OAuth0005Migration1795341600001 } from './oauth-0005.migration.js';
import { OAuth0006Migration1795450000001 } from './oauth-0006.migration.js';
import { OAuth0007Migration1795460000017 } from './oauth-0007.migration.js';
import { OAuth0008Migration1795481000008 } from './oauth-0008.migration.js';
import { OAuth0009Migration1795492200009 } from './oauth-0009.migration.js';
import { OAuth0010Migration1795500000010 } from './oauth-0010.migration.js';
import { OAuth0011Migration1795542000011 } from './oauth-0011.migration.js';
import { OAuth0012Migration1795800000012 } from './oauth-0012.migration.js';
import { OAuth0013Migration1795800000013 } from './oauth-0013.migration.js';

/** In the order in which they run; listed by hand, not found by a file pattern. */
export const oauthMigrations = [
  OAuth0001Migration1795219200004,
  OAuth0002Migration1795305600001,
  OAuth0003Migration1795305600021,
  OAuth0004Migration1795319100014,
  OAuth0005Migration1795341600001,
  OAuth0006Migration1795450000001,
  OAuth0007Migration1795460000017,
  OAuth0008Migration1795481000008,
  OAuth0009Migration1795492200009,
  OAuth0010Migration1795500000010,
  OAuth0011Migration1795542000011,
  OAuth0012Migration1795800000012,
  OAuth0013Migration1795800000013,
];
