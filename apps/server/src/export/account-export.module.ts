import { Module } from '@nestjs/common';
import { defineModule } from '#libs/platform';
import { AccountExport, NothingAdded } from './account-export.js';
import { AccountExportService } from './account-export.service.js';

/**
 * One's own data. `imports` and `providers` bring OwnAccountService, CredentialStore, ConnectionReaderService,
 * ApprovalStore and BudgetService; AccountExport is a port. Who imports it brings the controller, if there is to be one.
 */
@Module({
  providers: [AccountExportService, { provide: AccountExport, useClass: NothingAdded }],
  exports: [AccountExportService],
})
export class AccountExportModule
  extends defineModule<object>('AccountExport').ConfigurableModuleClass {}
