import { AccountTools } from '#libs/mcp';

/** An empty set of account tools that can announce changes. */
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
