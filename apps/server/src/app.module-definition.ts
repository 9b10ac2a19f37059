import type { Abstract, DynamicModule, ModuleMetadata, Provider, Type } from '@nestjs/common';
import type { MigrationInterface } from 'typeorm';
import type { AccountTexts, Brand, PageTexts, SomeOf } from '#libs/ui-templates';
import type { Resource, Scope } from '#libs/oauth';
import { EventSink } from './outbox/event-sink.js';
import type { ReplaceablePort } from './replaceable-ports.js';

/** The major version of this package, which an extension has to name. */
export const MAJOR_VERSION = 1;

/** The built-in modules, for modules of a team that need what these export. */
export interface BuiltIn {
  readonly accounts: DynamicModule;
  readonly passkeys: DynamicModule;
  readonly accountPage: DynamicModule;
  readonly accountExport: DynamicModule;
  readonly budget: DynamicModule;
  readonly oauth: DynamicModule;
  readonly mcp: DynamicModule;
  readonly tabs: DynamicModule;
  readonly screening: DynamicModule;
  readonly code: DynamicModule;
  /** Takes events out of the service where an EventSink is provided, or a webhook is set. */
  readonly events: DynamicModule;
  /** Exports Registry, for metrics, and ReadinessChecks. */
  readonly metrics: Type<unknown>;
  /** Exports Administration. */
  readonly administration: DynamicModule;
}

/** The built-in modules that have parts to replace. */
export type Replaceable = Exclude<keyof BuiltIn, 'administration' | 'metrics'>;

/** A token of the team's own, or a class of this module that is no port of it. */
type OwnToken = string | symbol | (Abstract<unknown> & { readonly portOf?: never });

/** A provider that is not a class alone. */
type ProviderOf<Value> = Exclude<Provider<Value>, Type<Value>>;

/** For each of the ports a provider of what it promises. */
type PortProvider<Port> =
  Port extends Abstract<infer Promised> ? ProviderOf<Promised> & { readonly provide: Port } : never;

/** A provider that replaces a part of this built-in module, or that such a provider needs. */
export type Replacement<Name extends Replaceable> =
  | (Type<unknown> & { readonly portOf?: Name })
  | PortProvider<ReplaceablePort<Name>>
  | (ProviderOf<unknown> & { readonly provide: OwnToken });

/** Texts of a language, or some of them. */
export interface LanguageTexts {
  /** BCP 47. */
  readonly locale: string;
  /** Of the sign-in and consent pages, and what other pages share with them. */
  readonly pages?: SomeOf<PageTexts>;
  /** Of the account page and the page for recoveries. */
  readonly account?: SomeOf<AccountTexts>;
}

/** What a team adds to the service or replaces in it, from files of its own. */
export interface Extension {
  /** The major version of Gatehouse that it was written for; no other one starts with it. */
  readonly gatehouse: typeof MAJOR_VERSION;
  /** Modules beside the built-in ones. */
  readonly modules?: (builtIn: BuiltIn) => NonNullable<ModuleMetadata['imports']>;
  /** Built-in modules that the service leaves out; their paths are free then. */
  readonly without?: readonly 'accountPage'[];
  /** Scopes of `/svc/mcp` after the built-in ones, in the order in which people see them. */
  readonly scopes?: readonly Scope[];
  /** Resources beside `/svc/mcp`, with scopes of their own; a path is one on each origin of the service. */
  readonly resources?: readonly Resource[];
  /** Further languages of the pages, and texts in place of built-in ones; what a language lacks is in English. */
  readonly texts?: readonly LanguageTexts[];
  /** How the pages look. */
  readonly brand?: Brand;
  /** Told to models after the built-in instructions: what the team's tools are for. */
  readonly instructions?: string;
  /** Migrations after the built-in ones; the entities come with the modules. */
  readonly migrations?: readonly (new () => MigrationInterface)[];
  /** Providers that stand in for a built-in module's own of the same token, with what they need. */
  readonly replacements?: { readonly [Name in Replaceable]?: readonly Replacement<Name>[] };
}

/** Whether events go to an EventSink of the team's own. */
export const hasEventSink = (extensions: readonly Partial<Extension>[]) =>
  extensions.some(({ replacements }) =>
    replacements?.events?.some((provider: Provider) => Object(provider).provide === EventSink),
  );

export const hasAccountPage = (extensions: readonly Partial<Extension>[]) =>
  !extensions.some(({ without = [] }) => without.includes('accountPage'));
