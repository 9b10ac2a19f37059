import { ApiProperty } from '@nestjs/swagger';
import { PageOf, PageQuery } from './page.dto.js';
import { NULLABLE_TEXT, Text, TIME } from './values.decorator.js';

export class AppsQuery extends PageQuery {
  @Text(64) user!: string;
}

export class ConnectedApp {
  @ApiProperty() id!: string;
  @ApiProperty() user!: string;
  @ApiProperty() client!: string;
  @ApiProperty() app!: string;
  @ApiProperty(NULLABLE_TEXT) redirectHost!: string | null;
  @ApiProperty({ type: [String] }) scope!: readonly string[];
  @ApiProperty(TIME) createdAt!: string;
  @ApiProperty(TIME) lastUsedAt!: string;
  @ApiProperty(TIME) expiresAt!: string;
}

export class AppsPage extends PageOf(ConnectedApp) {}
