import { plainToInstance, Transform } from 'class-transformer';
import {
  IsIn,
  ValidateBy,
  ValidateIf,
  validateSync,
  type ValidationArguments,
} from 'class-validator';
import { isAccent } from '#libs/ui-templates';
import { withVariableFiles } from './variables.js';
import * as rules from './variable-rules.js';

type Rule = (value: string, object: unknown) => boolean;

/** `takes` describes the accepted values, for the line that reports a bad one. */
export const heldTo = (
  takes: string,
  validate: (value: unknown, args?: ValidationArguments) => boolean,
) => ValidateBy({ name: 'rule', validator: { validate } }, { message: takes });

export const IsText = (takes: string, rule: Rule = () => true) =>
  heldTo(takes, (value, args) => typeof value === 'string' && rule(value, args?.object));

/** A member that may be left out, but not null. */
export const WhenGiven = () => ValidateIf((_entry, value) => value !== undefined);

const OneOf = (takes: string, values: readonly string[]) => IsIn(values, { message: takes });

const List =
  (takes: string, rule: (entry: string) => boolean, most = Infinity) =>
  (target: object, key: string) => {
    Transform(({ value }) =>
      String(value)
        .split(',')
        .map((entry) => entry.trim()),
    )(target, key);
    const isList = (value: unknown) =>
      Array.isArray(value) && value.length <= most && value.every((entry: string) => rule(entry));
    heldTo(takes, isList)(target, key);
  };

/** A whole number in plain digits: `Number` would read a blank as 0 and accept hexadecimals. */
const Whole =
  (takes: string, least: number, most = Infinity) =>
  (target: object, key: string) => {
    Transform(({ value }) => (/^\d+$/.test(String(value)) ? Number(value) : NaN))(target, key);
    const isInRange = (value: unknown) =>
      Number.isSafeInteger(value) && Number(value) >= least && Number(value) <= most;
    heldTo(takes, isInRange)(target, key);
  };

const HostPatterns = List(
  'lower-case host names, or *.<name> for all below a name, comma separated',
  rules.isHostPattern,
);

const LOG_LEVELS = ['fatal', 'error', 'warn', 'info', 'debug', 'trace'] as const;

/** Every variable the service reads, with its default; docs/reference/configuration.md explains them. */
export class Environment {
  @Whole('a port number, 0 to 65535', 0, 65_535)
  PORT: number = 3000;

  @IsText('a host name or IP address to listen on', rules.isHost)
  HOST: string = '127.0.0.1';

  @IsText('sqlite:<file> or postgres://<user>:<password>@<host>/<database>', rules.isDatabaseUrl)
  DATABASE_URL: string = 'sqlite:./data/gatehouse.sqlite';

  @OneOf('on or off', ['on', 'off'])
  MIGRATE: 'on' | 'off' = 'on';

  @IsText(
    'redis://<host>/<number> or redis+sentinel://<host>,…/<name>; rediss for TLS',
    rules.isRedisUrl,
  )
  REDIS_URL?: string;

  @IsText('1 to 64 characters of A-Z, a-z, 0-9, - . _ and :', rules.isRedisPrefix)
  REDIS_PREFIX?: string;

  @List(
    'origins such as https://gate.example, without a slash at the end, comma separated; plain http only on loopback',
    rules.isPublicOrigin,
  )
  PUBLIC_ORIGINS?: string[];

  @List('loopback, addresses and CIDRs, comma separated; not a number of hops', rules.isProxyRange)
  TRUSTED_PROXIES?: string[];

  @IsText('the name of a header', rules.isHeaderName)
  CLIENT_ADDRESS_HEADER?: string;

  @Whole('a whole number of requests, 1 or more', 1)
  RATE_LIMIT_MAX: number = 300;

  @Whole('a whole number of seconds, 1 to 86400', 1, 86_400)
  RATE_LIMIT_PERIOD: number = 60;

  @OneOf('open, invite or closed', ['open', 'invite', 'closed'])
  SIGN_UP: 'open' | 'invite' | 'closed' = 'open';

  @Whole('a whole number of days, 1 to 365', 1, 365)
  SESSION_IDLE_DAYS: number = 7;

  @Whole('a whole number of days, 1 to 365', 1, 365)
  SESSION_MAX_DAYS: number = 30;

  @Whole('a whole number of minutes, 1 to 1440', 1, 1440)
  ADD_PASSKEY_MAX_AGE?: number;

  @Whole('a whole number of days, 1 to 3650', 1, 3650)
  GRANT_MAX_DAYS?: number;

  @Whole('a whole number of days, 30 to 3650', 30, 3650)
  AUDIT_RETENTION_DAYS: number = 180;

  @Whole('a whole number of credits, 0 to 1000000000', 0, 1_000_000_000)
  BUDGET_DAILY_LIMIT: number = 1000;

  @List(
    '<host>:<port> entries such as localhost:8443, comma separated; for development only',
    rules.isHostAndPort,
  )
  CIMD_PRIVATE_HOSTS?: string[];

  @HostPatterns
  CIMD_ALLOWED_HOSTS?: string[];

  @HostPatterns
  CIMD_BLOCKED_HOSTS?: string[];

  @List(
    'lower-case URI schemes such as cursor, comma separated; none that browsers run or open',
    rules.isPrivateUseScheme,
  )
  PRIVATE_USE_REDIRECT_SCHEMES?: string[];

  @IsText('the path of a JSON file, as gatehouse admin keys rotate writes it')
  SIGNING_KEYS_FILE?: string;

  @OneOf('on or off', ['on', 'off'])
  REGISTRATION: 'on' | 'off' = 'on';

  @OneOf('on or off', ['on', 'off'])
  MACHINE_CLIENTS: 'on' | 'off' = 'off';

  @OneOf('click or passkey', ['click', 'passkey'])
  APPROVALS: 'click' | 'passkey' = 'click';

  @List('names of scopes of /svc/mcp such as account:read, comma separated', rules.isScopeName)
  BASELINE_SCOPES?: string[];

  @IsText('the path of a JSON file with a list of { resource, name, scopes, tokens }')
  RESOURCES_FILE?: string;

  @List(
    'origins such as https://app.example or schemes such as claude:, comma separated',
    rules.isFormAction,
  )
  EXTRA_FORM_ACTIONS?: string[];

  @Whole('a port number, 0 to 65535', 0, 65_535)
  MANAGEMENT_PORT?: number;

  @IsText('a host name or IP address to listen on', rules.isHost)
  MANAGEMENT_HOST: string = '127.0.0.1';

  @List('lower-case host names such as replica-1, comma separated', rules.isHostName)
  MANAGEMENT_ALLOWED_HOSTS?: string[];

  @IsText('32 to 512 characters of A-Z, a-z, 0-9, - . _ ~ + / and = at the end', rules.isAdminToken)
  ADMIN_TOKEN?: string;

  @IsText('the path of a JSON file with a list of { name, role, sha256 }')
  ADMIN_TOKENS_FILE?: string;

  @OneOf('on or off', ['on', 'off'])
  CONSOLE: 'on' | 'off' = 'off';

  @IsText('the path of a JSON file with a list of { issuer, name, clients, scopes, accounts }')
  TRUSTED_ISSUERS_FILE?: string;

  @Whole('a port number, 0 to 65535', 0, 65_535)
  DEVTOOLS_PORT?: number;

  @OneOf(LOG_LEVELS.join(', '), LOG_LEVELS)
  LOG_LEVEL: (typeof LOG_LEVELS)[number] = 'info';

  @Whole('a whole number of seconds, 0 to 300', 0, 300)
  SHUTDOWN_GRACE: number = 10;

  @IsText('1 to 64 visible characters', rules.isVisibleName)
  SERVICE_NAME: string = 'Gatehouse';

  @List('BCP 47 tags such as de, comma separated; the first is the default', rules.isLanguageTag)
  LOCALES?: string[];

  @IsText('an https URL of at most 500 characters', rules.isPublicUrl)
  SERVICE_WEBSITE?: string;

  @List('at most 4 https URLs of at most 500 characters, comma separated', rules.isPublicUrl, 4)
  SERVICE_ICONS?: string[];

  @IsText('the path of an SVG file of at most 16384 bytes')
  SERVICE_LOGO_FILE?: string;

  @IsText('a colour such as #1c5d86 whose contrast against white is at least 4.5 to 1', isAccent)
  SERVICE_ACCENT?: string;

  @List(
    'at most 4 links such as Imprint|de:Impressum=https://gate.example/imprint, comma separated',
    rules.isFootLink,
    4,
  )
  SERVICE_LINKS?: string[];

  @List(
    'at most 4 links such as Sign in with Acme|de:Mit Acme anmelden=/sso/acme, comma separated; paths of this service',
    rules.isSignInLink,
    4,
  )
  SIGN_IN_LINKS?: string[];

  @IsText('an http or https URL', rules.isWebhookUrl)
  SCREENING_WEBHOOK_URL?: string;

  @IsText(
    'an https URL without name and password; plain http only on loopback',
    rules.isEventsWebhookUrl,
  )
  EVENTS_WEBHOOK_URL?: string;

  @List(
    'whsec_ and 24 to 64 bytes as base64; at most 4 of them, comma separated',
    rules.isWebhookSecret,
    4,
  )
  EVENTS_WEBHOOK_SECRET?: string[];
}

export const VARIABLES: readonly string[] = Object.keys(new Environment());

export function readEnvironment(given: NodeJS.ProcessEnv) {
  const { variables, problems } = withVariableFiles(given, VARIABLES);
  const set = Object.entries(variables).filter(([, value]) => value);
  const environment = plainToInstance(Environment, Object.fromEntries(set), {
    exposeDefaultValues: true,
  });
  const options = { forbidUnknownValues: false, skipUndefinedProperties: true };
  for (const { property, constraints = {} } of validateSync(environment, options)) {
    problems.push(`${property} takes ${Object.values(constraints).join()}`);
  }
  const isOurs = (name: string) => VARIABLES.includes(name) || name.startsWith('OTEL_');
  return { environment, names: set.map(([name]) => name).filter(isOurs), problems };
}
