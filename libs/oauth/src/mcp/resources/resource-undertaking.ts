import {
  ProtocolError,
  ProtocolErrorCode,
  type ReadResourceResult,
} from '@modelcontextprotocol/server';
import { refuseByError } from '../calls/refuse-by-error.js';
import type { Undertaking } from '../calls/undertaking.js';
import { InputRequired } from '../rounds/input-required.js';
import type { FoundResource } from './mcp-resources.service.js';
import { resourceContents } from './resource-contents.js';

/** A resource that is read. */
export const resourceUndertaking = (
  { options, variables, read }: FoundResource,
  uri: string,
): Undertaking<ReadResourceResult> => ({
  label: `resource ${options.name}`,
  method: 'resources/read',
  name: uri,
  input: {},
  refuse: refuseByError,
  perform: async (caller, run) => {
    const output = await read(variables, caller, run);
    if (output instanceof InputRequired) return output;
    if (output === undefined) throw noSuchResource(uri);
    return resourceContents(uri, options.mimeType, output);
  },
});

export const noSuchResource = (uri: string): ProtocolError =>
  new ProtocolError(
    ProtocolErrorCode.InvalidParams,
    'there is no such resource; resources/list and resources/templates/list tell what there is',
    { uri },
  );
