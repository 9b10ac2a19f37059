import { isJsonObject, type JsonObject } from '#libs/platform';

/**
 * Any JSON value in a listed schema, in a form that the converters of OpenAI, Gemini and Anthropic take: strict models
 * refuse a list of types, a schema without a type, and an array without `items`. A value is checked as if the schema
 * took everything, so arrays may hold null and arrays too.
 */
export const ANY_JSON: { readonly anyOf: readonly JsonObject[] } = {
  anyOf: [
    { type: 'object' },
    { type: 'array', items: { anyOf: typesOf('object', 'string', 'number', 'boolean') } },
    ...typesOf('string', 'number', 'boolean', 'null'),
  ],
};

function typesOf(...types: string[]) {
  return types.map((type) => ({ type }));
}

/** The schema by which values are checked, for a listed one: what is {@link ANY_JSON} there takes everything. */
export function checkedSchemaOf(listed: JsonObject): JsonObject {
  const members = Object.entries(listed)
    .filter(([, value]) => value !== ANY_JSON.anyOf)
    .map(([name, value]) => [
      name,
      Array.isArray(value) ? value.map(checkedPart) : checkedPart(value),
    ]);
  return Object.fromEntries(members);
}

const checkedPart = (part: unknown) => (isJsonObject(part) ? checkedSchemaOf(part) : part);
