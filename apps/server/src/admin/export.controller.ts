import { Controller, Get, Param } from '@nestjs/common';
import { AccountExportService } from '../export/account-export.service.js';
import { ForRole, Operation } from './operation/operation.js';

@Controller('admin/users')
export class ExportController {
  constructor(private readonly exports: AccountExportService) {}

  @Get(':id/export')
  @ForRole('support')
  @Operation('Everything kept about an account, as its owner can export it', Object, {
    command: 'users export <id>',
  })
  async exportUser(@Param('id') id: string) {
    return this.exports.open(id);
  }
}
