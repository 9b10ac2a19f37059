import { IsIn, IsOptional, Max, Min } from 'class-validator';
import { List, Satisfies, Variable, Whole } from './variable.decorator.js';
import * as rules from './variable-rules.js';
import { Webhooks } from './webhooks.js';

export const LOG_LEVELS = ['fatal', 'error', 'warn', 'info', 'debug', 'trace'] as const;

/** Every variable the service reads, with its default; docs/configuration.md explains them. */
export class Environment extends Webhooks {
  @Variable('a port number, 0 to 65535')
  @Whole()
  @Min(0)
  @Max(65_535)
  PORT: number = 3000;

  @Variable('a host name or IP address to listen on')
  @Satisfies(rules.isHost)
  HOST: string = '127.0.0.1';

  @Variable('sqlite:<file> or postgres://<user>:<password>@<host>/<database>')
  @Satisfies(rules.isDatabaseUrl)
  DATABASE_URL: string = 'sqlite:./data/gatehouse.sqlite';

  @Variable('on or off')
  @IsIn(['on', 'off'])
  MIGRATE: 'on' | 'off' = 'on';

  @Variable('redis://<host>/<number> or redis+sentinel://<host>,…/<name>; rediss for TLS')
  @IsOptional()
  @Satisfies(rules.isRedisUrl)
  REDIS_URL?: string;

  @Variable('1 to 64 characters of A-Z, a-z, 0-9, - . _ and :')
  @IsOptional()
  @Satisfies(rules.isRedisPrefix)
  REDIS_PREFIX?: string;

  @Variable('origins such as https://gate.example, comma separated; plain http only on loopback')
  @IsOptional()
  @List()
  @Satisfies(rules.isPublicOrigin)
  PUBLIC_ORIGINS?: string[];

  @Variable('loopback, addresses and CIDRs, comma separated; not a number of hops')
  @IsOptional()
  @List()
  @Satisfies(rules.isProxyRange)
  TRUSTED_PROXIES?: string[];

  @Variable('the name of a header')
  @IsOptional()
  @Satisfies(rules.isHeaderName)
  CLIENT_ADDRESS_HEADER?: string;

  @Variable('a whole number of requests, 1 or more')
  @Whole()
  @Min(1)
  RATE_LIMIT_MAX: number = 300;

  @Variable('a whole number of seconds, 1 to 86400')
  @Whole()
  @Min(1)
  @Max(86_400)
  RATE_LIMIT_PERIOD: number = 60;

  @Variable('open, invite or closed')
  @IsIn(['open', 'invite', 'closed'])
  SIGN_UP: 'open' | 'invite' | 'closed' = 'open';

  @Variable('a whole number of days, 1 to 365')
  @Whole()
  @Min(1)
  @Max(365)
  SESSION_IDLE_DAYS: number = 7;

  @Variable('a whole number of days, 1 to 365')
  @Whole()
  @Min(1)
  @Max(365)
  SESSION_MAX_DAYS: number = 30;

  @Variable('a whole number of minutes, 1 to 1440')
  @IsOptional()
  @Whole()
  @Min(1)
  @Max(1440)
  ADD_PASSKEY_MAX_AGE?: number;

  @Variable('a whole number of days, 1 to 3650')
  @IsOptional()
  @Whole()
  @Min(1)
  @Max(3650)
  GRANT_MAX_DAYS?: number;

  @Variable('a whole number of days, 30 to 3650')
  @Whole()
  @Min(30)
  @Max(3650)
  AUDIT_RETENTION_DAYS: number = 180;

  @Variable('a whole number of credits, 0 to 1000000000')
  @Whole()
  @Min(0)
  @Max(1_000_000_000)
  BUDGET_DAILY_LIMIT: number = 1000;

  @Variable('<host>:<port> entries such as localhost:8443, comma separated; for development only')
  @IsOptional()
  @List()
  @Satisfies(rules.isHostAndPort)
  CIMD_PRIVATE_HOSTS?: string[];

  @Variable('lower-case host names, or *.<name> for all below a name, comma separated')
  @IsOptional()
  @List()
  @Satisfies(rules.isHostPattern)
  CIMD_ALLOWED_HOSTS?: string[];

  @Variable('lower-case host names, or *.<name> for all below a name, comma separated')
  @IsOptional()
  @List()
  @Satisfies(rules.isHostPattern)
  CIMD_BLOCKED_HOSTS?: string[];

  @Variable(
    'lower-case URI schemes such as cursor, comma separated; none that browsers run or open',
  )
  @IsOptional()
  @List()
  @Satisfies(rules.isPrivateUseScheme)
  PRIVATE_USE_REDIRECT_SCHEMES?: string[];

  @Variable('on or off')
  @IsIn(['on', 'off'])
  REGISTRATION: 'on' | 'off' = 'on';

  @Variable('origins such as https://app.example or schemes such as claude:, comma separated')
  @IsOptional()
  @List()
  @Satisfies(rules.isFormAction)
  EXTRA_FORM_ACTIONS?: string[];

  @Variable('a port number, 0 to 65535')
  @IsOptional()
  @Whole()
  @Min(0)
  @Max(65_535)
  MANAGEMENT_PORT?: number;

  @Variable('a host name or IP address to listen on')
  @Satisfies(rules.isHost)
  MANAGEMENT_HOST: string = '127.0.0.1';

  @Variable('lower-case host names such as replica-1, comma separated')
  @IsOptional()
  @List()
  @Satisfies(rules.isHostName)
  MANAGEMENT_ALLOWED_HOSTS?: string[];

  @Variable('32 to 512 characters of A-Z, a-z, 0-9, - . _ ~ + / and = at the end')
  @IsOptional()
  @Satisfies(rules.isAdminToken)
  ADMIN_TOKEN?: string;

  @Variable('the path of a JSON file with a list of { name, role, sha256 }')
  @IsOptional()
  ADMIN_TOKENS_FILE?: string;

  @Variable('a port number, 1 to 65535')
  @IsOptional()
  @Whole()
  @Min(1)
  @Max(65_535)
  DEVTOOLS_PORT?: number;

  @Variable('production, or anything else')
  @IsOptional()
  NODE_ENV?: string;

  @Variable(LOG_LEVELS.join(', '))
  @IsIn(LOG_LEVELS)
  LOG_LEVEL: (typeof LOG_LEVELS)[number] = 'info';

  @Variable('a whole number of seconds, 0 to 300')
  @Whole()
  @Min(0)
  @Max(300)
  SHUTDOWN_GRACE: number = 10;
}
