import { applyDecorators } from '@nestjs/common';
import { Transform } from 'class-transformer';
import { ValidateBy } from 'class-validator';
import { displayNameFault, parseDisplayName } from './display-name.js';

/** For a member of a DTO: it is a display name, and becomes what is stored of it. */
export const IsDisplayName = () =>
  applyDecorators(
    Transform(({ value }: { value: unknown }) => parseDisplayName(value) ?? value),
    ValidateBy({
      name: 'isDisplayName',
      validator: {
        validate: (value) => parseDisplayName(value) !== undefined,
        defaultMessage: (given) => `${given?.property} ${displayNameFault(given?.value)}`,
      },
    }),
  );

export class NewDisplayName {
  @IsDisplayName()
  displayName!: string;
}
