import type { PageTool } from '../protocol/page-tool.js';
import { contentsOf } from '../protocol/shared-name.js';
import type { TabTools } from '../protocol/tab-tools.js';
import type { Tab } from '../protocol/tab.js';

/** Shared names of a tab's tools, as they are stored and as scripts compare them. */
interface StoredNames {
  /** Less for an older tab. */
  readonly since: string;
  readonly contents: Readonly<Record<string, string>>;
  /** By name; scripts keep it. */
  readonly suffixed?: Readonly<Record<string, unknown>>;
}

/** In hexadecimal digits, which Lua orders like JavaScript in any locale. */
const hexOf = (id: string) => Buffer.from(id).toString('hex');

export const formatNames = ({ id, connectedAt }: Tab, tools: readonly PageTool[]) =>
  JSON.stringify({
    since: `${connectedAt} ${hexOf(id)}`,
    contents: Object.fromEntries(contentsOf(tools)),
  } satisfies StoredNames);

/** Empty text where none are stored. */
export function parseNames(text: string): Pick<TabTools, 'suffixed'> {
  const { suffixed = {} } = text === '' ? {} : (JSON.parse(text) as StoredNames);
  const names = Object.keys(suffixed);
  return names.length === 0 ? {} : { suffixed: names };
}
