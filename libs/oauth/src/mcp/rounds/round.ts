import type { ClientCapabilities } from '@modelcontextprotocol/server';

/**
 * What a client brings when it calls again, since it was asked something (MCP 2026-07-28, multi round-trip
 * requests). A call that is made for the first time brings nothing.
 */
export interface Round {
  /** By the keys of the questions. They come from the client, and nobody has checked them. */
  readonly inputResponses: Readonly<Record<string, unknown>>;
  /** What this very call kept when it asked; undefined when it kept nothing. Nobody but the service can have made it. */
  readonly requestState: unknown;
  /** What the client can be asked for; undefined for a client of 2025, which cannot be asked anything. */
  readonly clientCapabilities: ClientCapabilities | undefined;
}

/** Of a client that cannot be asked, and was not. */
export const FIRST_ROUND: Round = {
  inputResponses: {},
  requestState: undefined,
  clientCapabilities: undefined,
};
