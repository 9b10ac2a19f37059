import { AccountTools } from '#libs/oauth';

/** Tools of accounts, of which there are none, however often they change. */
export class ChangingTools extends AccountTools {
  readonly prefix = 'page_';
  readonly listeners = new Set<() => void>();

  async list() {
    return [];
  }

  async find() {
    return undefined;
  }

  onChanged(_userId: string, listener: () => void) {
    this.listeners.add(listener);
    return () => void this.listeners.delete(listener);
  }
}
