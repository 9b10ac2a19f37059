import type { Request } from 'express';
import { type BrowserSessionsService } from '../session/browser-sessions.service.js';
import { readJsonObject } from './json-body.js';
import { type Session } from '../session/session.js';
import type { JsonObject } from '#libs/platform';

interface OwnFields {
  readonly session: Session;
  readonly fields: JsonObject;
}

/**
 * The JSON body of a signed-in request. The session is looked up again after the body has been read, since it may
 * have ended in between. Throws RefusalError 401, 413 and 400.
 */
export async function readOwnFields(
  request: Request,
  sessions: BrowserSessionsService,
): Promise<OwnFields> {
  const fields = await readJsonObject(request, request.headers['content-length']);
  return { session: await sessions.get(request), fields };
}
