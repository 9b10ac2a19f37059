import type { ServerContext } from '@modelcontextprotocol/server';
import type { Asker } from '../asker.js';
import type { OpenRequest } from '../mcp-connection.js';
import { progressFor } from '../progress-reports.js';
import { presentedRound } from '../rounds/round.js';
import type { CallContext } from './calls.service.js';

/** What goes with the call of a request that the library hands on. */
export function callContext(
  { request, asker, stop }: OpenRequest<Asker>,
  library: ServerContext,
): CallContext {
  const { caller, from, call, stream } = asker;
  return {
    caller,
    from,
    stop,
    round: presentedRound(library),
    progress: progressFor(request, stream),
    onWork: (work) => call.keepFor(work),
  };
}
