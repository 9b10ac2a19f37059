import type {
  jsonSchemaValidator,
  JsonSchemaType,
  JsonSchemaValidator,
} from '@modelcontextprotocol/server';
import { AjvJsonSchemaValidator } from '@modelcontextprotocol/server/validators/ajv';
import formats from 'ajv-formats';
import { type Dialect, dialectOf, misfitIn } from '#libs/json-schema';

/**
 * The library's validator in all but what it says: the first thing that is wrong, by the name of the
 * property and what that takes. All that is wrong is a text as long as whoever sends nonsense likes.
 */
export class FirstErrorValidator implements jsonSchemaValidator {
  private readonly validators = new Map<Dialect, AjvJsonSchemaValidator>();

  /** @throws Error for a `$schema` that is none of 2020-12 (the default), 2019-09, draft-07 and draft-06 */
  getValidator<T>(schema: JsonSchemaType): JsonSchemaValidator<T> {
    const dialect = dialectOf(schema.$schema);
    if (!dialect) throw new Error('its $schema is none of 2020-12, 2019-09, draft-07 and draft-06');
    const validate = this.validatorOf(dialect).getValidator<T>(schema);
    return (value) => {
      const checked = validate(value);
      if (checked.valid) return checked;
      return { ...checked, errorMessage: misfitIn(schema, value) ?? checked.errorMessage };
    };
  }

  private validatorOf(dialect: Dialect) {
    const known = this.validators.get(dialect);
    if (known) return known;
    const ajv = new dialect.engine({ strict: false, validateSchema: false, allErrors: false });
    formats.default(ajv);
    const validator = new AjvJsonSchemaValidator(ajv);
    this.validators.set(dialect, validator);
    return validator;
  }
}
