import { ToolError } from '#libs/mcp';

/** The result of a promise; an error that `refusalOf` can explain becomes a ToolError for the model. */
export async function asToolError<T>(
  promise: Promise<T>,
  refusalOf: (error: unknown) => string | undefined | Promise<string | undefined>,
): Promise<T> {
  try {
    return await promise;
  } catch (error) {
    const refusal = await refusalOf(error);
    if (refusal === undefined) throw error;
    throw new ToolError(refusal, { cause: error });
  }
}
