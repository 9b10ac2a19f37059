import { applyDecorators, type Type, ValidationPipe } from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import { ApiProperty } from '@nestjs/swagger';
import { Transform } from 'class-transformer';
import {
  IsIn,
  IsInt,
  Length,
  NotContains,
  ValidateBy,
  ValidateIf,
  ValidationError,
} from 'class-validator';
import { Option } from 'commander';
import { RefusalError } from '#libs/accounts';
import { isNestedDeeper } from '#libs/platform';
import { type Direction, parseRows, parseTime, ROW_COUNTS, ROWS, TIMES } from './values.js';

export const TIME = { type: String, format: 'date-time' };
export const NULLABLE_TIME = { ...TIME, nullable: true };
export const NULLABLE_INTEGER = { type: 'integer', nullable: true } as const;
export const NULLABLE_TEXT = { type: String, nullable: true };

/** An optional member. It must be the first decorator; null does not count as absent. */
export const Optional = () =>
  applyDecorators(
    ApiProperty({ required: false }),
    ValidateIf((_dto, value) => value !== undefined),
  );

/** Text of 1 to `maxLength` characters without NUL, which Postgres does not accept, and its `CommandOption`. */
export const Text = (maxLength: number, flags: string, description: string) =>
  applyDecorators(
    CommandOption(flags, description),
    ApiProperty({ minLength: 1, maxLength }),
    Length(1, maxLength),
    NotContains('\0', { message: '$property takes no NUL' }),
  );

export const OptionalText = (...text: Parameters<typeof Text>) =>
  applyDecorators(Optional(), Text(...text));

/** A time or a duration, transformed to epoch milliseconds, and its `CommandOption`. */
export const OptionalTime = (direction: Direction, flags: string, description: string) =>
  applyDecorators(
    CommandOption(flags, description),
    Optional(),
    ApiProperty({ type: String, example: '24h' }),
    Transform(({ value }) =>
      typeof value === 'string' ? (parseTime(value, direction, Date.now()) ?? NaN) : NaN,
    ),
    IsInt({ message: `$property takes ${TIMES}` }),
  );

export const OneOf = (choices: readonly string[], schema: object = {}) =>
  applyDecorators(ApiProperty({ enum: [...choices], ...schema }), IsIn(choices));

export const TakenBy = (rule: (value: unknown) => boolean, takes: string) =>
  ValidateBy(
    { name: 'takenBy', validator: { validate: rule } },
    { message: `$property takes ${takes}` },
  );

/** Checks and converts a DTO; `errorOf` makes the error from the text of the first fault. */
export const inputPipe = (errorOf: (message: string, fault: ValidationError) => Error) =>
  new ValidationPipe({
    transform: true,
    stopAtFirstError: true,
    exceptionFactory: ([fault = new ValidationError()]) =>
      errorOf(Object.values(fault.constraints ?? {})[0] ?? 'not taken', fault),
  });

export interface MemberOption extends OptionDetails {
  readonly member: string;
  readonly flags: string;
  readonly description: string;
  /** Undefined for an argument. */
  readonly option: Option | undefined;
}

interface OptionDetails {
  readonly choices?: readonly string[];
  readonly value?: string | boolean;
  readonly conflicts?: string;
  readonly parse?: (text: string) => unknown;
  /** Of an option that takes several texts. */
  readonly parseAll?: (texts: readonly string[]) => unknown;
}

const Options = Reflector.createDecorator<readonly MemberOption[]>();

export const optionsOf = (input: Type | undefined): readonly MemberOption[] =>
  input ? (new Reflector().get(Options, input) ?? []) : [];

/** Gives a member of a DTO an option on the command line, or an argument: `--user <id>`, or `<credits>`. */
export const CommandOption =
  (flags: string, description: string, details: OptionDetails = {}): PropertyDecorator =>
  (prototype, name) => {
    const option = flags.startsWith('<')
      ? undefined
      : new Option(flags, description).conflicts(details.conflicts ?? []);
    const added: MemberOption = { member: String(name), flags, description, option, ...details };
    const dto = prototype.constructor as Type;
    Options([...optionsOf(dto), added])(dto);
  };

/** No operation takes more; class-transformer recurses per level and would overflow the stack. */
const MAX_LEVELS = 32;

/**
 * Refuses what is no member of the DTO. `forbidNonWhitelisted` alone is not enough: it does not see the query where a
 * handler takes none, and class-transformer drops members called `__proto__` and `constructor` before the check.
 */
export function expectDescribed(given: object, input: Type | undefined) {
  if (isNestedDeeper(given, MAX_LEVELS)) throw new RefusalError(400, 'body is nested too deeply');
  const names = [...new Set(optionsOf(input).map(({ member }) => member))];
  if (Object.keys(given).every((name) => names.includes(name))) return;
  throw new RefusalError(400, `this takes ${names.join(', ') || 'nothing'}, and nothing else`);
}

/** The number that digits are; any other text stays, for the DTO to refuse or take. */
export const digits = (text: string) => (/^\d{1,10}$/.test(text) ? Number(text) : text);

export class PageQuery {
  @CommandOption('--limit <rows>', `at most this many rows (default: ${ROWS.default})`)
  @ApiProperty({
    type: 'integer',
    minimum: 1,
    maximum: ROWS.most,
    default: ROWS.default,
    required: false,
  })
  @Transform(({ value }) => parseRows(value) ?? Number.NaN)
  @IsInt({ message: `$property takes ${ROW_COUNTS}` })
  limit: number = ROWS.default;

  @OptionalText(2048, '--after <id>', 'those after the last one shown') after?: string;
}

/** A page; `next` is the cursor of the next one. A terminal shows `columns`, and those of `ifAny` that a row has. */
export function PageOf<Item>(
  item: Type<Item>,
  columns: readonly (keyof Item & string)[],
  ifAny: readonly (keyof Item & string)[] = [],
) {
  class Page {
    static readonly columns: readonly string[] = columns;
    static readonly columnsIfAny: readonly string[] = ifAny;

    @ApiProperty({ type: [item] }) items!: readonly Item[];
    @ApiProperty(NULLABLE_TEXT) next!: string | null;
  }
  return Page;
}
