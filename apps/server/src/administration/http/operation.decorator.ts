import { applyDecorators, HttpCode, type Type } from '@nestjs/common';
import { ApiOperation, ApiProperty, ApiResponse } from '@nestjs/swagger';

/** The body of every refusal; a refused operation changed nothing. */
class Refusal {
  @ApiProperty()
  error!: string;
}

/** The refusals that every operation may answer. */
const REFUSALS = {
  400: 'something that was sent is not taken',
  401: 'the token is missing or unknown',
  403: 'the role of the token does not go so far',
  404: 'nothing has that id',
  503: 'storage does not answer',
};

interface OperationOptions {
  /** 200 unless the operation creates something. */
  readonly status?: 200 | 201;
  /** The operation's own refusals: the status and its condition. */
  readonly refusals?: Readonly<Record<number, string>>;
}

/** Describes an operation in the OpenAPI document; its id there is the name of its method. */
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
