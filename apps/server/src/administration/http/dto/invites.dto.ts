import { ApiProperty } from '@nestjs/swagger';
import { IsInt, Max, Min } from 'class-validator';
import { MAX_INVITE_USES } from '#libs/accounts';
import { PageOf } from './page.dto.js';
import { Optional, Time, TIME } from './values.decorator.js';

export class InviteRequest {
  @ApiProperty({
    type: 'integer',
    minimum: 1,
    maximum: MAX_INVITE_USES,
    required: false,
    default: 1,
  })
  @IsInt()
  @Min(1)
  @Max(MAX_INVITE_USES)
  uses: number = 1;

  /** Epoch milliseconds. */
  @Optional()
  @Time('from-now')
  expires?: number;
}

export class ListedInvite {
  @ApiProperty() id!: string;
  @ApiProperty({ type: 'integer' }) uses!: number;
  @ApiProperty({ type: 'integer' }) usesLeft!: number;
  @ApiProperty(TIME) createdAt!: string;
  @ApiProperty() createdBy!: string;
  @ApiProperty(TIME) expiresAt!: string;
}

export class InvitesPage extends PageOf(ListedInvite) {}

export class IssuedInvite {
  @ApiProperty() id!: string;
  @ApiProperty() code!: string;
  @ApiProperty({ type: 'integer' }) uses!: number;
  @ApiProperty(TIME) expiresAt!: string;
}

export class DeletedInvite {
  @ApiProperty() id!: string;
}
