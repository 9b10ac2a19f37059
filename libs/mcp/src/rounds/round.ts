import {
  CLIENT_CAPABILITIES_META_KEY,
  type ClientCapabilities,
  PROTOCOL_VERSION_META_KEY,
  type ServerContext,
} from '@modelcontextprotocol/server';
import type { JsonObject } from '#libs/platform';

/**
 * What a client sends when it calls again after a question (MCP 2026-07-28, multi round-trip requests). The
 * first call has no responses and no state.
 */
export interface Round {
  /** The client's responses by the keys of the questions. They are not validated. */
  readonly inputResponses: Readonly<Record<string, unknown>>;
  /** The state that this call kept when it asked; undefined without one. Authenticated: only the service makes it. */
  readonly requestState: unknown;
  /** Which questions the client supports; undefined for a client of 2025, which supports none. */
  readonly clientCapabilities: ClientCapabilities | undefined;
}

/** A round as received, with its state still sealed. */
export interface PresentedRound extends Round {
  readonly requestState: string | undefined;
}

/** The round of a client of 2025. */
export const FIRST_ROUND: PresentedRound = {
  inputResponses: {},
  requestState: undefined,
  clientCapabilities: undefined,
};

/** Reads the round from the library's context; the library has checked that a state is a string. */
export function presentedRound({ mcpReq }: Pick<ServerContext, 'mcpReq'>): PresentedRound {
  const envelope: JsonObject = { ...mcpReq.envelope };
  if (!envelope[PROTOCOL_VERSION_META_KEY]) return FIRST_ROUND;
  return {
    inputResponses: mcpReq.inputResponses ?? {},
    requestState: mcpReq.requestState<string>(),
    clientCapabilities: envelope[CLIENT_CAPABILITIES_META_KEY] as ClientCapabilities,
  };
}
