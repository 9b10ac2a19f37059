import { resolve } from 'node:path';
import { hasTracerProvider } from '#libs/platform';
import type { Scope } from '#libs/oauth';
import { readAdminTokens } from './admin-tokens.js';
import { readEnvironment, VARIABLES } from './environment.js';
import { readResources } from './resources.js';
import { readSigningKeysFile } from './signing-keys.js';
import { readTrustedIssuers, unknownScopeFaults } from './trusted-issuers.js';
import { exposedFiles, misspeltVariables } from './variables.js';
import { serviceBrand, toLink } from './service-brand.js';
import { shownSettings } from './shown-settings.js';
import { isWebhookUrl } from './variable-rules.js';

const SECOND = 1000;
const MINUTE = 60 * SECOND;
const DAY = 24 * 60 * MINUTE;

export type Config = ReturnType<typeof readConfig>;

export class ConfigError extends Error {
  override name = 'ConfigError';

  constructor(readonly problems: readonly string[]) {
    super(problems.join('\n'));
  }
}

/** The trusted issuers. Throws ConfigError where one has a scope that is not among `scopes`. */
export function trustedIssuersOf(
  { trustedIssuers }: Pick<Config, 'trustedIssuers'>,
  scopes: readonly Pick<Scope, 'name'>[],
) {
  const names = scopes.map(({ name }) => name);
  const faults = unknownScopeFaults(trustedIssuers ?? [], names);
  if (faults.length > 0) throw new ConfigError(faults);
  return trustedIssuers;
}

const NEEDED = [
  ['CLIENT_ADDRESS_HEADER', 'TRUSTED_PROXIES'],
  ['ADMIN_TOKEN', 'MANAGEMENT_PORT'],
  ['ADMIN_TOKENS_FILE', 'MANAGEMENT_PORT'],
  ['REDIS_PREFIX', 'REDIS_URL'],
] as const;

const SECRET_FILES = [
  'SIGNING_KEYS_FILE',
  'ADMIN_TOKENS_FILE',
  'ADMIN_TOKEN_FILE',
  'DATABASE_URL_FILE',
  'REDIS_URL_FILE',
  'EVENTS_WEBHOOK_SECRET_FILE',
];

export function readConfig(variables: NodeJS.ProcessEnv = process.env) {
  const { environment, names, problems } = readEnvironment(variables);
  if (environment.SESSION_IDLE_DAYS > environment.SESSION_MAX_DAYS) {
    problems.push('SESSION_IDLE_DAYS takes at most SESSION_MAX_DAYS');
  }
  for (const [name, needed] of NEEDED) {
    if (environment[name] !== undefined && environment[needed] === undefined) {
      problems.push(`${name} takes effect with ${needed} only; set that too`);
    }
  }
  const admin = { token: environment.ADMIN_TOKEN, tokensFile: environment.ADMIN_TOKENS_FILE };
  const hasAdminToken = admin.token !== undefined || admin.tokensFile !== undefined;
  if (environment.CONSOLE === 'on' && !hasAdminToken) {
    problems.push('CONSOLE takes effect with ADMIN_TOKEN or ADMIN_TOKENS_FILE only; set one too');
  }
  const listed = readResources(environment.RESOURCES_FILE);
  const trusted = readTrustedIssuers(environment.TRUSTED_ISSUERS_FILE);
  problems.push(...readAdminTokens(admin).faults, ...(listed.faults ?? []), ...trusted.faults);
  const keysFile = environment.SIGNING_KEYS_FILE;
  const keys = keysFile === undefined ? undefined : readSigningKeysFile(keysFile);
  if (keys?.fault !== undefined) problems.push(keys.fault);
  if (!environment.EVENTS_WEBHOOK_URL !== !environment.EVENTS_WEBHOOK_SECRET) {
    problems.push(
      'EVENTS_WEBHOOK_URL and EVENTS_WEBHOOK_SECRET take effect together only; set both',
    );
  }
  const tracing = readTracing(variables);
  const look = serviceBrand(environment);
  const misspelt = misspeltVariables(variables, VARIABLES);
  problems.push(...tracing.problems, ...look.problems);
  if (problems.length > 0) throw new ConfigError([...problems, ...misspelt]);
  return {
    variables: names.toSorted(),
    settings: shownSettings(environment, variables),
    misspelt,
    exposed: exposedFiles(variables, SECRET_FILES),
    listen: { port: environment.PORT, host: environment.HOST },
    database: databaseLocation(environment.DATABASE_URL),
    migratesAtStart: environment.MIGRATE === 'on',
    redisUrl: environment.REDIS_URL,
    redisPrefix: environment.REDIS_PREFIX ?? '',
    publicOrigins: environment.PUBLIC_ORIGINS,
    trustedProxies: environment.TRUSTED_PROXIES ?? [],
    clientAddressHeader: environment.CLIENT_ADDRESS_HEADER,
    rateLimit: {
      max: environment.RATE_LIMIT_MAX,
      periodMs: environment.RATE_LIMIT_PERIOD * SECOND,
    },
    signUp: environment.SIGN_UP,
    sessionLifetimes: {
      idleMs: environment.SESSION_IDLE_DAYS * DAY,
      maxMs: environment.SESSION_MAX_DAYS * DAY,
    },
    addPasskeyMaxAgeMs:
      environment.ADD_PASSKEY_MAX_AGE === undefined
        ? undefined
        : environment.ADD_PASSKEY_MAX_AGE * MINUTE,
    grantMaxAgeMs:
      environment.GRANT_MAX_DAYS === undefined ? undefined : environment.GRANT_MAX_DAYS * DAY,
    auditRetentionMs: environment.AUDIT_RETENTION_DAYS * DAY,
    budgetDailyLimit: environment.BUDGET_DAILY_LIMIT,
    serviceName: environment.SERVICE_NAME,
    locales: environment.LOCALES,
    website: { url: environment.SERVICE_WEBSITE, icons: environment.SERVICE_ICONS ?? [] },
    brand: look.brand,
    signInLinks: environment.SIGN_IN_LINKS?.map(toLink),
    clientDocuments: {
      allowedHosts: environment.CIMD_ALLOWED_HOSTS,
      blockedHosts: environment.CIMD_BLOCKED_HOSTS ?? [],
      privateHosts: environment.CIMD_PRIVATE_HOSTS ?? [],
    },
    signingKeysFile: keysFile,
    registration: environment.REGISTRATION === 'on',
    machineClients: environment.MACHINE_CLIENTS === 'on',
    trustedIssuers: trusted.issuers,
    approvals: environment.APPROVALS,
    baselineScopes: environment.BASELINE_SCOPES,
    privateUseRedirectSchemes: environment.PRIVATE_USE_REDIRECT_SCHEMES ?? [],
    /** Beside `/svc/mcp`. */
    resources: listed.entries ?? [],
    extraFormActions: environment.EXTRA_FORM_ACTIONS ?? [],
    screeningWebhookUrl: environment.SCREENING_WEBHOOK_URL,
    eventsWebhook:
      environment.EVENTS_WEBHOOK_URL === undefined
        ? undefined
        : {
            url: environment.EVENTS_WEBHOOK_URL,
            secrets: environment.EVENTS_WEBHOOK_SECRET ?? [],
          },
    management:
      environment.MANAGEMENT_PORT === undefined
        ? undefined
        : {
            port: environment.MANAGEMENT_PORT,
            host: environment.MANAGEMENT_HOST,
            allowedHosts: environment.MANAGEMENT_ALLOWED_HOSTS ?? [],
            admin,
            console: environment.CONSOLE === 'on',
          },
    devtoolsPort: environment.DEVTOOLS_PORT,
    tracesEndpoint: tracing.endpoint,
    logLevel: environment.LOG_LEVEL,
    shutdownGraceMs: environment.SHUTDOWN_GRACE * SECOND,
  } as const;
}

const ENDPOINTS = ['OTEL_EXPORTER_OTLP_TRACES_ENDPOINT', 'OTEL_EXPORTER_OTLP_ENDPOINT'];
const PROTOCOLS = ['OTEL_EXPORTER_OTLP_TRACES_PROTOCOL', 'OTEL_EXPORTER_OTLP_PROTOCOL'];
const SPOKEN = 'http/protobuf';

/**
 * Where traces are sent, and a line for each problem. The SDK reads the other OpenTelemetry variables itself; none
 * matters where a team has registered a provider.
 */
function readTracing(variables: NodeJS.ProcessEnv) {
  const isOff = variables['OTEL_SDK_DISABLED']?.trim().toLowerCase() === 'true';
  if (isOff || hasTracerProvider()) return { endpoint: undefined, problems: [] };
  const first = (names: readonly string[]) =>
    names.map((name) => [name, variables[name]?.trim() ?? ''] as const).find(([, value]) => value);
  const [protocolName, protocol = SPOKEN] = first(PROTOCOLS) ?? [];
  const [endpointName, endpoint] = first(ENDPOINTS) ?? [];
  const problems = [
    ...(protocol === SPOKEN ? [] : [`${protocolName} takes ${SPOKEN}`]),
    ...(endpoint === undefined || isWebhookUrl(endpoint)
      ? []
      : [`${endpointName} takes an http or https URL`]),
  ];
  return { endpoint, problems };
}

/** What a migration needs; variables for replicas are not checked. @throws ConfigError */
export function readDatabaseLocation(
  variables: NodeJS.ProcessEnv = process.env,
): Config['database'] {
  const { environment, problems } = readEnvironment(variables);
  const own = problems.filter((problem) => problem.startsWith('DATABASE_URL'));
  if (own.length > 0) throw new ConfigError(own);
  return databaseLocation(environment.DATABASE_URL);
}

/** The path of the signing keys, for a rotation: the file may be missing, and nothing else is checked. */
export const readSigningKeysLocation = (variables: NodeJS.ProcessEnv): string | undefined =>
  readEnvironment(variables).environment.SIGNING_KEYS_FILE;

const databaseLocation = (url: string) =>
  url.startsWith('sqlite:')
    ? ({ type: 'sqlite', path: resolve(url.slice('sqlite:'.length)) } as const)
    : ({ type: 'postgres', url } as const);
