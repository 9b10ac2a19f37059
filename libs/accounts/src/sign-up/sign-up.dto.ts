import { MaxLength, ValidateIf } from 'class-validator';
import { IsDisplayName } from '../user/display-name.dto.js';
import { MAX_INVITE_LENGTH } from './invite.store.js';

/** What signing up takes of the body of `register/options`. */
export class SignUpFields {
  @IsDisplayName()
  displayName!: string;

  @ValidateIf((_fields, invite) => invite !== undefined)
  @MaxLength(MAX_INVITE_LENGTH, {
    message: `invite has to be a text of at most ${MAX_INVITE_LENGTH} characters`,
  })
  invite?: string;
}
