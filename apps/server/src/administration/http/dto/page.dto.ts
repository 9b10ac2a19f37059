import type { Type } from '@nestjs/common';
import { ApiProperty } from '@nestjs/swagger';
import { Transform } from 'class-transformer';
import { IsInt } from 'class-validator';
import { parseRows, ROW_COUNTS, ROWS } from '../../bounds.js';
import { NULLABLE_TEXT, Optional, Text } from './values.decorator.js';

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

  @Optional()
  @Text(2048)
  after?: string;
}

/** A page of a list; `next` is the cursor for the next page. */
export function PageOf<Item>(item: Type<Item>) {
  class Page {
    @ApiProperty({ type: [item] })
    items!: readonly Item[];

    @ApiProperty(NULLABLE_TEXT)
    next!: string | null;
  }
  return Page;
}
