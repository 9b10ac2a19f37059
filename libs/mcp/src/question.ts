import {
  createHash,
  createHmac,
  createSecretKey,
  type KeyObject,
  timingSafeEqual,
} from 'node:crypto';
import {
  CLIENT_CAPABILITIES_META_KEY,
  type ClientCapabilities,
  type InputRequest,
  inputRequired as ofLibrary,
  type InputRequiredResult,
  type JSONValue,
  PROTOCOL_VERSION_META_KEY,
  type ServerContext,
} from '@modelcontextprotocol/server';
import { Injectable, type OnModuleInit } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { canonicalJson, getServiceKey, type JsonObject } from '#libs/platform';
import { invalidParams, ToolError } from './errors.js';

type InputRequests = Readonly<Record<string, InputRequest>>;

/** Returned in place of a result, so that the client answers the questions and calls again. */
export class InputRequired {
  constructor(
    readonly inputRequests: InputRequests,
    readonly requestState: JSONValue | undefined,
  ) {}
}

/**
 * Asks the client to call again with its answers and with `requestState`. The state comes back unchanged, for
 * this grant, this name and these arguments, within 10 minutes, on any replica, and perhaps several times. The
 * client can read it, so it must not contain a secret; as JSON it has at most 16 KiB.
 */
export const inputRequired = (
  inputRequests: InputRequests,
  requestState?: JSONValue,
): InputRequired => new InputRequired(inputRequests, requestState);

/** The kinds of questions: to the user by a form or a URL, to the model, and for the client's roots. */
export const { elicit, elicitUrl, createMessage, listRoots } = ofLibrary;

/** What a client sends when it calls again after a question (MCP 2026-07-28, multi round-trip requests). */
export interface QuestionReply {
  /** The client's responses by the keys of the questions. They are not validated. */
  readonly inputResponses: Readonly<Record<string, unknown>>;
  /** The state that this call kept when it asked; undefined without one. Authenticated: only the service makes it. */
  readonly requestState: unknown;
  /** Which questions the client supports; undefined for a client of 2025, which supports none. */
  readonly clientCapabilities: ClientCapabilities | undefined;
}

export interface PresentedReply extends QuestionReply {
  readonly requestState: string | undefined;
}

export const NO_REPLY: PresentedReply = {
  inputResponses: {},
  requestState: undefined,
  clientCapabilities: undefined,
};

/** Reads the reply from the library's context; the library has checked that a state is a string. */
export function presentedReply({ mcpReq }: Pick<ServerContext, 'mcpReq'>): PresentedReply {
  const envelope: JsonObject = { ...mcpReq.envelope };
  if (!envelope[PROTOCOL_VERSION_META_KEY]) return NO_REPLY;
  return {
    inputResponses: mcpReq.inputResponses ?? {},
    requestState: mcpReq.requestState<string>(),
    clientCapabilities: envelope[CLIENT_CAPABILITIES_META_KEY] as ClientCapabilities,
  };
}

const LIFETIME_MS = 10 * 60_000;
const MAX_BYTES = 16 * 1024;
const FORM = /^([A-Za-z0-9_-]{1,22000})\.([A-Za-z0-9_-]{43})$/;

export interface StateOwner {
  readonly grantId: string;
  readonly method: 'tools/call' | 'prompts/get' | 'resources/read';
  readonly name: string;
  readonly input: unknown;
}

interface Envelope {
  readonly state: JSONValue;
  /** In epoch milliseconds. */
  readonly until: number;
}

/**
 * Seals the state that the client carries: it can read it, but neither change it nor use it for another call.
 * @throws Error for more than 16 KiB of JSON
 */
export function sealState(key: KeyObject, state: JSONValue, owner: StateOwner): string {
  const envelope: Envelope = { state, until: Date.now() + LIFETIME_MS };
  const bytes = Buffer.from(JSON.stringify(envelope));
  if (bytes.length > MAX_BYTES) throw new Error('a call keeps more than 16 KiB between rounds');
  const body = bytes.toString('base64url');
  return `${body}.${macOf(key, body, owner).toString('base64url')}`;
}

/** @throws ProtocolError -32602 for a state not sealed with this key, for this call, in the last 10 minutes */
export function openState(key: KeyObject, sealed: string, owner: StateOwner): JSONValue {
  const [, body, mac] = FORM.exec(sealed) ?? [];
  if (body === undefined || mac === undefined) throw refused();
  if (!timingSafeEqual(Buffer.from(mac, 'base64url'), macOf(key, body, owner))) throw refused();
  const { state, until } = JSON.parse(Buffer.from(body, 'base64url').toString()) as Envelope;
  if (until <= Date.now()) throw refused();
  return state;
}

function macOf(key: KeyObject, body: string, { grantId, method, name, input }: StateOwner): Buffer {
  const call = createHash('sha256')
    .update(canonicalJson([grantId, method, name, input]))
    .digest();
  return createHmac('sha256', key).update(call).update(body).digest();
}

const REFUSED =
  'this requestState is not of this call, or older than 10 minutes; call again without it';

const refused = () => invalidParams(REFUSED, { reason: 'invalid_request_state' });

const KEY_NAME = 'mcp-request-state';

/** Calls that take several requests. The service stores nothing about them, so any replica can continue one. */
@Injectable()
export class QuestionsService implements OnModuleInit {
  private key: KeyObject = createSecretKey(Buffer.alloc(0));

  constructor(private readonly dataSource: DataSource) {}

  async onModuleInit() {
    this.key = await getServiceKey(this.dataSource, KEY_NAME);
  }

  /** @throws ProtocolError -32602 for a state that does not belong to this call */
  open({ requestState: sealed, ...presented }: PresentedReply, owner: StateOwner): QuestionReply {
    const requestState = sealed === undefined ? undefined : openState(this.key, sealed, owner);
    return { ...presented, requestState };
  }

  /**
   * The result that asks the client. The library checks that the client supports these questions (-32021).
   * @throws ToolError for a client that supports no questions
   */
  ask(
    { inputRequests, requestState }: InputRequired,
    { clientCapabilities }: QuestionReply,
    owner: StateOwner,
  ): InputRequiredResult {
    if (!clientCapabilities) throw new ToolError(CANNOT_ASK, { reason: 'no person to ask' });
    return {
      resultType: 'input_required',
      inputRequests: { ...inputRequests },
      ...(requestState !== undefined && { requestState: sealState(this.key, requestState, owner) }),
    };
  }
}

const CANNOT_ASK =
  'This has a question for its user, which takes a client of MCP 2026-07-28; tell the user so.';
