import { createSecretKey, type KeyObject } from 'node:crypto';
import type { InputRequiredResult } from '@modelcontextprotocol/server';
import { Injectable, type OnModuleInit } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { getServiceKey } from '#libs/platform';
import { ToolError } from './errors.js';
import {
  type InputRequired,
  openState,
  type PresentedReply,
  type QuestionReply,
  type StateOwner,
  sealState,
} from './question.js';

const KEY_NAME = 'mcp-request-state';

/** Calls that take several requests. The service stores nothing about them, so any replica can continue one. */
@Injectable()
export class QuestionsService implements OnModuleInit {
  private key: KeyObject = createSecretKey(Buffer.alloc(0));

  constructor(private readonly dataSource: DataSource) {}

  async onModuleInit() {
    this.key = createSecretKey(await getServiceKey(this.dataSource, KEY_NAME));
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
    if (!clientCapabilities) throw new ToolError(CANNOT_ASK);
    return {
      resultType: 'input_required',
      inputRequests: { ...inputRequests },
      ...(requestState !== undefined && { requestState: sealState(this.key, requestState, owner) }),
    };
  }
}

const CANNOT_ASK =
  'This has a question for its user, which takes a client of MCP 2026-07-28; tell the user so.';
