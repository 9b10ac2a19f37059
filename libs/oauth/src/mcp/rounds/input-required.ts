import {
  type InputRequest,
  inputRequired as ofLibrary,
  type JSONValue,
} from '@modelcontextprotocol/server';

/** Questions to a client, by keys of the tool's own. */
export type InputRequests = Readonly<Record<string, InputRequest>>;

/** Returned in the place of a result, so that the client asks and calls again. */
export class InputRequired {
  constructor(
    readonly inputRequests: InputRequests,
    readonly requestState: JSONValue | undefined,
  ) {}
}

/**
 * Asks the client: it calls again with its answers, and with what is kept here. That comes back unchanged,
 * for this grant, this name and these arguments, for 10 minutes, on any replica, and perhaps several times.
 * The client can read it, so it holds no secret; as JSON it has at most 16 KiB.
 */
export const inputRequired = (
  inputRequests: InputRequests,
  requestState?: JSONValue,
): InputRequired => new InputRequired(inputRequests, requestState);

/** The questions there are: to the person, by a form or an address, to the model, and for the client's roots. */
export const { elicit, elicitUrl, createMessage, listRoots } = ofLibrary;
