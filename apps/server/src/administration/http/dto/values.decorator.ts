import { applyDecorators } from '@nestjs/common';
import { ApiProperty } from '@nestjs/swagger';
import { Transform } from 'class-transformer';
import { IsInt, Length, NotContains, ValidateBy, ValidateIf } from 'class-validator';
import { type Direction, parseTime, TIMES } from '../../asked-time.js';

/** A member of an answer that is a time in ISO 8601. */
export const TIME = { type: String, format: 'date-time' };

/** A member of an answer that is text or null. */
export const NULLABLE_TEXT = { type: String, nullable: true };

/** What may be left out. It stands above the rest, and null is nothing that is left out. */
export const Optional = () =>
  applyDecorators(
    ApiProperty({ required: false }),
    ValidateIf((_dto, value) => value !== undefined),
  );

/** Text of 1 to so many characters, none of them NUL, which Postgres does not take. */
export const Text = (maxLength: number) =>
  applyDecorators(
    ApiProperty({ minLength: 1, maxLength }),
    Length(1, maxLength),
    NotContains('\0', { message: '$property takes no NUL' }),
  );

/** A time, or a duration: epoch milliseconds once it is read. */
export const Time = (direction: Direction) =>
  applyDecorators(
    ApiProperty({ type: String, example: '24h' }),
    Transform(({ value }) =>
      typeof value === 'string' ? (parseTime(value, direction, Date.now()) ?? NaN) : NaN,
    ),
    IsInt({ message: `$property takes ${TIMES}` }),
  );

/** What a rule of ours takes; `takes` says it in words. */
export const TakenBy = (rule: (value: unknown) => boolean, takes: string) =>
  ValidateBy(
    { name: 'takenBy', validator: { validate: rule } },
    { message: `$property takes ${takes}` },
  );
