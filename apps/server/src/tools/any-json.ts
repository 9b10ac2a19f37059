/** Any JSON value: clients differ in what they make of a schema without a type. */
export const ANY_JSON = { type: ['object', 'array', 'string', 'number', 'boolean', 'null'] };
