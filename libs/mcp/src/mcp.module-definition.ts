import { defineModule } from '#libs/platform';

export interface McpOptions {
  readonly serviceName: string;
  readonly scopes: readonly string[];
  readonly server?: McpServerDescription | undefined;
  /** The names of the MCP extensions that the service supports, such as `io.modelcontextprotocol/<name>`. */
  readonly extensions?: readonly string[] | undefined;
  /** Runs the work and measures what it costs the account and the connection; without it everything costs 0. */
  readonly measureCharges?:
    | (<T>(work: () => Promise<T>, connection?: ChargedConnection) => Promise<Charged<T>>)
    | undefined;
}

interface McpServerDescription {
  readonly version: string;
  readonly websiteUrl?: string | undefined;
  readonly icons?: readonly string[] | undefined;
  /** For models: what the service is for, and how it is to be used. */
  readonly instructions?: string | undefined;
  /** In place of those where the caller is a machine client. */
  readonly machineInstructions?: string | undefined;
}

interface ChargedConnection {
  readonly id: string;
  /** Per UTC day; null for no limit but that of the account. */
  readonly dailyCredits: number | null;
}

interface Charged<T> {
  readonly result: T;
  readonly credits: number;
}

/** `imports` has to include AccountsModule and OAuthModule; `providers` may replace any default. */
export const { ConfigurableModuleClass, MODULE_OPTIONS_TOKEN: MCP_OPTIONS } =
  defineModule<McpOptions>('Mcp');
