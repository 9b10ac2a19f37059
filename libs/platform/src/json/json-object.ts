/** The members of a JSON object, not validated. */
export type JsonObject = Readonly<Record<string, unknown>>;

/** Whether a JSON value is an object: neither null nor an array. */
export const isJsonObject = (value: unknown): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
