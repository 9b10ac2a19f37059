import { Logger } from '@nestjs/common';
import { OutageLog } from '#libs/platform';

/** Entries of one account in a list of tools or resources; models choose badly among more. */
export const MAX_ACCOUNT_ENTRIES = 256;

/** A list whose entries differ by account. It is empty while it cannot be read, which is logged once. */
export class AccountList<Entry> {
  private readonly outage = new OutageLog(new Logger(AccountList.name));

  constructor(private readonly kind: 'tools' | 'resources') {}

  async read(list: () => Promise<readonly Entry[]>): Promise<readonly Entry[]> {
    const entries = await this.outage.watch(
      list,
      `${this.kind} of accounts are not listed`,
      `${this.kind} of accounts are listed again`,
    );
    return entries?.slice(0, MAX_ACCOUNT_ENTRIES) ?? [];
  }
}
