import { applyDecorators, HttpCode, type Type } from '@nestjs/common';
import { ApiOperation, ApiProperty, ApiResponse } from '@nestjs/swagger';

/** Every refusal; nothing was changed then. */
class Refusal {
  @ApiProperty()
  error!: string;
}

/** Of every operation. */
const REFUSALS = {
  400: 'something that was sent is not taken',
  401: 'the token is missing or unknown',
  403: 'the role of the token does not go so far',
  404: 'nothing has that id',
  503: 'storage does not answer',
};

interface OperationOptions {
  /** 200 unless something new came about. */
  readonly status?: 200 | 201;
  /** Statuses of its own, and when they come. */
  readonly refusals?: Readonly<Record<number, string>>;
}

/** What the document says of an operation, whose id there is the name of its method. */
export const Operation = (
  summary: string,
  answer: Type,
  { status = 200, refusals = {} }: OperationOptions = {},
) =>
  applyDecorators(
    HttpCode(status),
    ApiOperation({ summary }),
    ApiResponse({ status, description: status === 201 ? 'Made' : 'Done', type: answer }),
    ...Object.entries({ ...REFUSALS, ...refusals }).map(([refusal, description]) =>
      ApiResponse({ status: Number(refusal), description, type: Refusal }),
    ),
  );
