import {
  type InputRequest,
  inputRequired as ofLibrary,
  type JSONValue,
} from '@modelcontextprotocol/server';

/** Questions to a client, by keys that the tool chooses. */
export type InputRequests = Readonly<Record<string, InputRequest>>;

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
