import { applyDecorators, type Type } from '@nestjs/common';
import { ApiProperty } from '@nestjs/swagger';
import { Transform } from 'class-transformer';
import { IsInt, Length, NotContains, ValidateBy, ValidateIf } from 'class-validator';
import { type Direction, parseRows, parseTime, ROW_COUNTS, ROWS, TIMES } from './values.js';

/** A response member that is a time in ISO 8601. */
export const TIME = { type: String, format: 'date-time' };

export const NULLABLE_TIME = { ...TIME, nullable: true };

export const NULLABLE_TEXT = { type: String, nullable: true };

/** An optional member. It must be the first decorator; null does not count as absent. */
export const Optional = () =>
  applyDecorators(
    ApiProperty({ required: false }),
    ValidateIf((_dto, value) => value !== undefined),
  );

/** Text of 1 to `maxLength` characters without NUL, which Postgres does not accept. */
export const BoundedText = (maxLength: number) =>
  applyDecorators(
    ApiProperty({ minLength: 1, maxLength }),
    Length(1, maxLength),
    NotContains('\0', { message: '$property takes no NUL' }),
  );

/** A time or a duration, transformed to epoch milliseconds. */
export const Time = (direction: Direction) =>
  applyDecorators(
    ApiProperty({ type: String, example: '24h' }),
    Transform(({ value }) =>
      typeof value === 'string' ? (parseTime(value, direction, Date.now()) ?? NaN) : NaN,
    ),
    IsInt({ message: `$property takes ${TIMES}` }),
  );

/** A value that satisfies one of our rules; `takes` describes it in words. */
export const TakenBy = (rule: (value: unknown) => boolean, takes: string) =>
  ValidateBy(
    { name: 'takenBy', validator: { validate: rule } },
    { message: `$property takes ${takes}` },
  );

/** The query parameters of every list. */
export class PageQuery {
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

  @Optional() @BoundedText(2048) after?: string;
}

/** A page of a list; `next` is the cursor for the next page. */
export function PageOf<Item>(item: Type<Item>) {
  class Page {
    @ApiProperty({ type: [item] }) items!: readonly Item[];
    @ApiProperty(NULLABLE_TEXT) next!: string | null;
  }
  return Page;
}
