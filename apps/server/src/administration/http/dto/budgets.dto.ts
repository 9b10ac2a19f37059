import { ApiProperty } from '@nestjs/swagger';
import { CREDITS, isCredits, MOST_CREDITS } from '../../bounds.js';

import { TakenBy, TIME } from './values.decorator.js';

export class BudgetRequest {
  @ApiProperty({
    anyOf: [
      { type: 'integer', minimum: 0, maximum: MOST_CREDITS },
      { type: 'string', enum: ['default'] },
    ],
  })
  @TakenBy(isCredits, CREDITS)
  credits!: number | 'default';
}

export class ShownBudget {
  @ApiProperty() user!: string;
  @ApiProperty({ type: 'integer' }) used!: number;
  @ApiProperty({ type: 'integer' }) limit!: number;
  @ApiProperty(TIME) resetsAt!: string;
  @ApiProperty({ type: 'integer', nullable: true }) ownLimit!: number | null;
}
