import type { Fields } from './field-values.js';
import type { Operation } from './operation.js';

const json = (schema: object) => ({ content: { 'application/json': { schema } } });

const ERROR = { type: 'object', properties: { error: { type: 'string' } }, required: ['error'] };

/** Of every operation; nothing was changed then. */
const REFUSALS = {
  400: 'something that was sent is not taken',
  401: 'ADMIN_TOKEN is missing',
  404: 'nothing has that id',
  503: 'storage does not answer',
};

/** The document of these operations (OpenAPI 3.1). */
export function openApiOf(operations: readonly Operation[]) {
  const paths: Record<string, Record<string, object>> = {};
  for (const operation of operations) {
    paths[operation.path] = {
      ...paths[operation.path],
      [operation.method.toLowerCase()]: describe(operation),
    };
  }
  return {
    openapi: '3.1.0',
    info: { title: 'Gatehouse administration', version: '1' },
    security: [{ adminToken: [] }],
    paths,
    components: {
      securitySchemes: {
        adminToken: { type: 'http', scheme: 'bearer', description: 'The value of ADMIN_TOKEN' },
      },
    },
  };
}

function describe({
  id,
  summary,
  path,
  query,
  body,
  answer,
  status = 200,
  refusals = {},
}: Operation) {
  const refused = Object.entries({ ...REFUSALS, ...refusals }).map(([refusal, when]) => [
    refusal,
    { description: when, ...json(ERROR) },
  ]);
  return {
    operationId: id,
    summary,
    parameters: [...placeholders(path), ...parameters(query)],
    ...(body && { requestBody: requestBody(body) }),
    responses: {
      [status]: { description: status === 201 ? 'Made' : 'Done', ...json(answer) },
      ...Object.fromEntries(refused),
    },
  };
}

const placeholders = (path: string) =>
  [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => ({
    name,
    in: 'path',
    required: true,
    schema: { type: 'string' },
  }));

const parameters = (query: Fields) =>
  Object.entries(query).map(([name, { isRequired, schema }]) => ({
    name,
    in: 'query',
    required: isRequired,
    schema,
  }));

function requestBody(body: Fields) {
  const fields = Object.entries(body);
  const required = fields.flatMap(([name, { isRequired }]) => (isRequired ? [name] : []));
  const schema = {
    type: 'object',
    properties: Object.fromEntries(fields.map(([name, field]) => [name, field.schema])),
    ...(required.length > 0 && { required }),
    additionalProperties: false,
  };
  return { required: required.length > 0, ...json(schema) };
}
