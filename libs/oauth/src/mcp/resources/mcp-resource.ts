import type { Annotations } from '@modelcontextprotocol/server';
import { DiscoveryService } from '@nestjs/core';
import type { McpCaller } from '../caller.js';
import type { ToolRun } from '../tools/tool-run.js';

/** What an MCP client learns of a resource, and the one scope that reading it needs. */
export interface McpResourceOptions {
  /** Of one resource, or with variables of many (RFC 6570, simple expansion): `tabs://{id}`. */
  readonly uri: string;
  /** Unique in the application: 1 to 128 of `A-Z a-z 0-9 _ - .`. */
  readonly name: string;
  /** Shown to people where a client lists resources. */
  readonly title: string;
  /** Told to the model: what reading it gives. */
  readonly description: string;
  /** Of what the method returns. */
  readonly mimeType: string;
  /** A scope that the application has: without it the resource is neither listed nor read. */
  readonly scope: string;
  /** Hints of MCP for clients: audience, priority, last change. */
  readonly annotations?: Readonly<Annotations>;
}

/** The variables of a uri, decoded; a uri without any has none. */
export type UriVariables = Readonly<Record<string, string>>;

/**
 * What {@link McpResource} goes on: gets the uri's variables, and returns (or resolves to) text, bytes,
 * `inputRequired(…)`, or undefined when there is no such resource.
 */
export type McpResourceMethod = (variables: never, caller: McpCaller, run: ToolRun) => unknown;

/** The mark itself, by which resources are found. */
export const ResourceMark = DiscoveryService.createDecorator<McpResourceOptions>();

/** Makes a method of any provider, in any module of the application, a resource of the MCP endpoint. */
export const McpResource =
  (options: McpResourceOptions) =>
  <T extends McpResourceMethod>(
    target: object,
    method: string,
    descriptor: TypedPropertyDescriptor<T>,
  ): void => {
    ResourceMark(options)(target, method, descriptor);
  };
