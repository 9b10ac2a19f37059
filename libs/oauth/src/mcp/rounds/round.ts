import {
  CLIENT_CAPABILITIES_META_KEY,
  type ClientCapabilities,
  PROTOCOL_VERSION_META_KEY,
  type ServerContext,
} from '@modelcontextprotocol/server';
import type { JsonObject } from '#libs/platform';

/**
 * What a client brings when it calls again, since it was asked something (MCP 2026-07-28, multi round-trip
 * requests). A call that is made for the first time brings nothing.
 */
export interface Round {
  /** By the keys of the questions. They come from the client, unchecked. */
  readonly inputResponses: Readonly<Record<string, unknown>>;
  /** What this very call kept when it asked; undefined when it kept nothing. Only the service can have made it. */
  readonly requestState: unknown;
  /** What the client can be asked for; undefined for a client of 2025, which cannot be asked anything. */
  readonly clientCapabilities: ClientCapabilities | undefined;
}

/** A round as it comes in, its state not opened yet. */
export interface PresentedRound extends Round {
  readonly requestState: string | undefined;
}

/** Of a client of 2025. */
export const FIRST_ROUND: PresentedRound = {
  inputResponses: {},
  requestState: undefined,
  clientCapabilities: undefined,
};

/** As the library hands it on, which has seen to it that a state is a string. */
export function presentedRound({ mcpReq }: Pick<ServerContext, 'mcpReq'>): PresentedRound {
  const envelope: JsonObject = { ...mcpReq.envelope };
  if (!envelope[PROTOCOL_VERSION_META_KEY]) return FIRST_ROUND;
  return {
    inputResponses: mcpReq.inputResponses ?? {},
    requestState: mcpReq.requestState<string>(),
    clientCapabilities: envelope[CLIENT_CAPABILITIES_META_KEY] as ClientCapabilities,
  };
}
