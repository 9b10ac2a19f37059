import { ToolError } from '#libs/oauth';

/** What a promise brings. An error that has a refusal is said to the model, any other one stays as it is. */
export async function asToolError<T>(
  promise: Promise<T>,
  refusalOf: (error: unknown) => string | undefined,
): Promise<T> {
  try {
    return await promise;
  } catch (error) {
    const refusal = refusalOf(error);
    if (refusal === undefined) throw error;
    throw new ToolError(refusal, { cause: error });
  }
}
