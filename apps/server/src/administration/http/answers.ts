/** Schemas of answers. */
export const string = { type: 'string' };
export const integer = { type: 'integer' };
export const boolean = { type: 'boolean' };
export const strings = { type: 'array', items: string };
export const time = { type: 'string', format: 'date-time' };

export const orNull = (schema: object) => ({ anyOf: [schema, { type: 'null' }] });

/** An object with all of these members and no others. */
export const record = (properties: Readonly<Record<string, object>>) => ({
  type: 'object',
  properties,
  required: Object.keys(properties),
  additionalProperties: false,
});

/** A page of a list; `next` is the id to go on after. */
export const pageOf = (items: object) =>
  record({ items: { type: 'array', items }, next: orNull(string) });
