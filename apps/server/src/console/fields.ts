import type { Type } from '@nestjs/common';
import { SECURITY_EVENT_TYPES } from '#libs/accounts';
import { isJsonObject, parseJson } from '#libs/platform';
import { type Html, html } from '#libs/ui-templates';
import { type MemberOption, optionsOf } from '../admin/operation/input.js';
import { capitalized, words } from './parts.js';

/** A member of an operation's input, as a form asks for it. */
export interface Field {
  readonly member: string;
  readonly label: string;
  readonly hint: string;
  readonly kind: 'text' | 'lines' | 'choice';
  /** What it is where nothing is entered. */
  readonly initial: string;
  /** Of a choice: what is sent, and what people read. */
  readonly choices: readonly (readonly [sent: string, shown: string])[];
  /** The member for what was entered. */
  readonly read: (text: string) => unknown;
}

/** In place of the texts of the command line, where these do not fit a form. */
const HINTS: Readonly<Record<string, string>> = {
  actor: 'The name of an administration token',
  auth: 'How it authenticates at the token endpoint',
  client: 'The ID of a client',
  credits: 'Credits a day, or the word default',
  dailyCredits: 'The most that it may use a day; it can only become less',
  endsAt:
    'When it is disconnected at the latest: a time such as 2026-12-24T09:30Z, or 24h, 7d from now',
  expires: 'A time such as 2026-12-24T09:30Z, or 24h, 7d from now; after 7 days by default',
  host: 'A host name or IP address, such as app.example',
  jwks: 'A JWK set with its public keys, as JSON; without it the client gets a secret',
  mayAsk: 'Choose No to refuse what is off without a question to the person',
  network: 'As a row of the trail has it',
  origin: 'Where the link leads, such as https://gate.example; the first public origin by default',
  paused: 'Refuses its calls. A pause that the person made stays',
  permissions: 'Permissions to ask for or to switch off, one a line: code:run=ask, or code:run=off',
  request: 'The X-Request-Id of an answer, which the log has too',
  resource: 'An address of RESOURCES_FILE; /svc/mcp by default',
  scopes: 'All that its tokens may have, one scope a line',
  search: 'A part of the name, or an ID',
  since: 'A time such as 2026-11-22T09:30Z, or 24h, 7d ago',
  state: '',
  type: '',
  until: 'A time such as 2026-11-22T09:30Z, or 24h, 7d ago',
  uses: 'How many accounts can be made with it',
  user: 'The ID of an account',
};

/** What the command line takes as text, and a form as a choice. */
const CHOICES: Readonly<Record<string, readonly string[]>> = {
  type: SECURITY_EVENT_TYPES.toSorted(),
};

/** A file on the command line: a form takes its content. */
const DOCUMENTS = new Set(['jwks']);

/** The list turns pages by its own links. */
const OF_PAGES = new Set(['limit', 'after']);

export function fieldsOf(input: Type<object> | undefined): readonly Field[] {
  const members = Map.groupBy(optionsOf(input), ({ member }) => member);
  const defaults = new Map(Object.entries(input ? new input() : {}));
  return [...members].flatMap(([member, options]) =>
    OF_PAGES.has(member) ? [] : fieldOf(member, String(defaults.get(member) ?? ''), options),
  );
}

function fieldOf(
  member: string,
  initial: string,
  [first, ...others]: readonly MemberOption[],
): Field[] {
  if (!first) return [];
  const { description, choices = CHOICES[member], parse, parseAll, flags } = first;
  const isLines = flags.includes('...');
  const hint = HINTS[member] ?? capitalized(`${description}${isLines ? ', one a line' : ''}`);
  const field = { member, label: words(member), hint, initial, choices: [] };
  if (DOCUMENTS.has(member)) {
    const read = (text: string) => (isJsonObject(parseJson(text)) ? parseJson(text) : text);
    return [{ ...field, kind: 'lines', read }];
  }
  const switches = [first, ...others].filter(({ value }) => value !== undefined);
  if (switches.length > 0) {
    const read = (text: string) => switches.find(({ value }) => String(value) === text)?.value;
    const shown = switches.map(({ value }) => [String(value), wordsOf(value)] as const);
    return [{ ...field, kind: 'choice', choices: shown, read }];
  }
  if (choices) {
    const shown = choices.map((choice) => [choice, choice] as const);
    return [{ ...field, kind: 'choice', choices: shown, read: (text) => text }];
  }
  if (!isLines) return [{ ...field, kind: 'text', read: parse ?? ((text) => text) }];
  const linesOf = (text: string) =>
    text
      .split(/\r?\n/)
      .map((line) => line.trim())
      .filter(Boolean);
  const read = (text: string) => (parseAll ?? ((lines) => lines))(linesOf(text));
  return [{ ...field, kind: 'lines', read }];
}

const wordsOf = (choice: string | boolean | undefined) =>
  typeof choice === 'boolean' ? (choice ? 'Yes' : 'No') : words(String(choice));

/** What an action is about, where no page said it. */
export const idField = (takes: 'id' | 'host'): Field => ({
  member: 'id',
  label: words(takes),
  hint: HINTS[takes] ?? '',
  initial: '',
  kind: 'text',
  choices: [],
  read: (text) => text,
});

/** The members that were entered; what is empty counts as left out. */
export const membersOf = (fields: readonly Field[], entered: URLSearchParams): object =>
  Object.fromEntries(
    fields.flatMap(({ member, read }) => {
      const text = entered.get(member) ?? '';
      return text === '' ? [] : [[member, read(text)]];
    }),
  );

/** A control with its label and hint; it keeps what was entered. */
export function control(
  { member, label: name, hint, kind, choices, initial }: Field,
  given: string,
): Html {
  const entered = given || initial;
  const about = hint === '' ? '' : html`<p id="${member}-hint" class="quiet">${hint}</p>`;
  const described = hint === '' ? '' : html`aria-describedby="${member}-hint"`;
  const named = html`id="${member}" name="${member}" ${described}`;
  const label = html`<label for="${member}">${name}</label>`;
  if (kind === 'lines') {
    return html`${label}<textarea ${named} rows="4" spellcheck="false">${entered}</textarea
      >${about}`;
  }
  if (kind === 'text') {
    return html`${label}<input
        ${named}
        value="${entered}"
        autocomplete="off"
        spellcheck="false"
      />${about}`;
  }
  const option = (sent: string, shown: string) =>
    html`<option value="${sent}" ${sent === entered ? html`selected` : ''}>${shown}</option>`;
  return html`${label}<select ${named}>
      ${initial === '' ? option('', '–') : ''}
      ${choices.map(([sent, shown]) => option(sent, shown))}</select
    >${about}`;
}
