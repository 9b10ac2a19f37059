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
import {
  type JsonObject,
  NO_DIALECT,
  type SchemaDialect,
  dialectOf,
  mismatchIn,
} from '#libs/platform';

const ENGINES = { '7': Ajv, '2019-09': Ajv2019, '2020-12': Ajv2020 } as const;

/**
 * For the application's own schemas: validates like the library but reports only the first error, with the name of
 * the property and what it accepts. A list of all errors could be as long as a sender of invalid input likes.
 */
export class FirstErrorValidator implements jsonSchemaValidator {
  private readonly validators = new Map<SchemaDialect, AjvJsonSchemaValidator>();

  /** @throws Error for a `$schema` other than 2020-12 (the default), 2019-09, draft-07 and draft-06 */
  getValidator<T>(schema: JsonSchemaType): JsonSchemaValidator<T> {
    const dialect = dialectOf(schema.$schema);
    if (!dialect) throw new Error(NO_DIALECT);
    const validate = this.validatorOf(dialect).getValidator<T>(schema);
    return (value) => {
      const checked = validate(value);
      if (checked.valid) return checked;
      return { ...checked, errorMessage: firstMismatch(schema, value) ?? checked.errorMessage };
    };
  }

  private validatorOf(dialect: SchemaDialect) {
    const known = this.validators.get(dialect);
    if (known) return known;
    const ajv = new ENGINES[dialect]({ strict: false, validateSchema: false, allErrors: false });
    formats.default(ajv);
    const validator = new AjvJsonSchemaValidator(ajv);
    this.validators.set(dialect, validator);
    return validator;
  }
}

/** Undefined for an error that only ajv finds, and where ajv follows a reference. */
function firstMismatch(schema: JsonSchemaType, value: unknown): string | undefined {
  try {
    // A copy, because `mismatchIn` writes the targets of references into the schema that it checks.
    return mismatchIn(JSON.parse(JSON.stringify(schema)) as JsonObject, value);
  } catch {
    return undefined;
  }
}
