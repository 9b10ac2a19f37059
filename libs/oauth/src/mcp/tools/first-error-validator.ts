import type {
  jsonSchemaValidator,
  JsonSchemaType,
  JsonSchemaValidator,
} from '@modelcontextprotocol/server';
import { AjvJsonSchemaValidator } from '@modelcontextprotocol/server/validators/ajv';
import { Ajv } from 'ajv';
import { Ajv2019 } from 'ajv/dist/2019.js';
import { Ajv2020 } from 'ajv/dist/2020.js';
import formats from 'ajv-formats';

type Engine = typeof Ajv | typeof Ajv2019 | typeof Ajv2020;

const DIALECTS: readonly [RegExp, Engine][] = [
  [/^https?:\/\/json-schema\.org\/draft\/2020-12\/schema#?$/, Ajv2020],
  [/^https?:\/\/json-schema\.org\/draft\/2019-09\/schema#?$/, Ajv2019],
  [/^https?:\/\/json-schema\.org\/draft-0[67]\/schema#?$/, Ajv],
];

/**
 * The library's validator in all but one thing: it says the first thing that is wrong, not all of
 * them, which is a text as long as whoever sends nonsense likes.
 */
export class FirstErrorValidator implements jsonSchemaValidator {
  private readonly validators = new Map<Engine, AjvJsonSchemaValidator>();

  /** @throws Error for a `$schema` that is none of 2020-12 (the default), 2019-09, draft-07 and draft-06 */
  getValidator<T>(schema: JsonSchemaType): JsonSchemaValidator<T> {
    return this.validatorOf(engineOf(schema.$schema)).getValidator<T>(schema);
  }

  private validatorOf(engine: Engine) {
    const known = this.validators.get(engine);
    if (known) return known;
    const ajv = new engine({ strict: false, validateSchema: false, allErrors: false });
    formats.default(ajv);
    const validator = new AjvJsonSchemaValidator(ajv);
    this.validators.set(engine, validator);
    return validator;
  }
}

function engineOf(dialect: unknown): Engine {
  if (typeof dialect !== 'string') return Ajv2020;
  const known = DIALECTS.find(([name]) => name.test(dialect));
  if (!known) throw new Error('its $schema is none of 2020-12, 2019-09, draft-07 and draft-06');
  return known[1];
}
