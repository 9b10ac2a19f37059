import type { JsonObject } from '#libs/json';

/** A tool that the page in a tab offers, as WebMCP describes it. What it says of itself is the page's word. */
export interface PageTool {
  /** 1 to 128 of `A-Za-z0-9_.-`. */
  readonly name: string;
  /** At most 200 characters. */
  readonly title?: string;
  /** 1 to 2,000 characters. */
  readonly description: string;
  /** A JSON Schema (2020-12) with root `object`, at most 8 KiB of JSON. */
  readonly inputSchema?: JsonObject;
  readonly annotations?: PageToolAnnotations;
}

export interface PageToolAnnotations {
  readonly readOnlyHint?: boolean;
  readonly untrustedContentHint?: boolean;
}
