import type { Annotations } from '@modelcontextprotocol/server';
import { DiscoveryService } from '@nestjs/core';
import type { McpCaller } from '../caller.js';
import type { ToolRun } from '../tools/tool-run.js';

/** What an MCP client learns about a resource, and the one scope that reading it needs. */
export interface McpResourceOptions {
  /** The uri of one resource or, with variables, of many (RFC 6570, simple expansion): `tabs://{id}`. */
  readonly uri: string;
  /** Unique in the application: 1 to 128 of `A-Z a-z 0-9 _ - .`. */
  readonly name: string;
  /** Shown to people where a client lists resources. */
  readonly title: string;
  /** Tells the model what reading it returns. */
  readonly description: string;
  /** The type of what the method returns. */
  readonly mimeType: string;
  /** A scope of the application; a caller without it can neither list nor read the resource. */
  readonly scope: string;
  /** MCP hints for clients: audience, priority, last change. */
  readonly annotations?: Readonly<Annotations>;
}

/** The decoded variables of a uri; empty for a uri without variables. */
export type UriVariables = Readonly<Record<string, string>>;

/**
 * A method that {@link McpResource} decorates. It gets the uri's variables and returns (or resolves to)
 * text, bytes, `inputRequired(…)`, or undefined when there is no such resource.
 */
export type McpResourceMethod = (variables: never, caller: McpCaller, run: ToolRun) => unknown;

/** The decorator by which resources are discovered. */
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
