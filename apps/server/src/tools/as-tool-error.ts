import { ToolError } from '#libs/oauth';

/** What a promise brings. An error that has a sentence is said to the model, any other one stays as it is. */
export async function asToolError<T>(
  promise: Promise<T>,
  sentenceFor: (error: unknown) => string | undefined,
): Promise<T> {
  try {
    return await promise;
  } catch (error) {
    const sentence = sentenceFor(error);
    if (sentence === undefined) throw error;
    throw new ToolError(sentence, { cause: error });
  }
}
