import type { Type } from '@nestjs/common';
import { type Command, Option } from 'commander';
import { isVisibleName } from '../../config/variable-rules.js';
import { inputPipe, type MemberOption, optionsOf } from '../operation/input.js';
import type { DeclaredOperation } from '../operation/operation.js';
import { outputOf } from './output.js';
import { ArgumentError, type CommonOptions, type Perform, type Task } from './task.js';

interface Variant extends DeclaredOperation {
  readonly command: string;
  readonly takesId: boolean;
  readonly chosenBy: Option | undefined;
  readonly options: readonly MemberOption[];
  readonly args: readonly string[];
}

/** The command, its id, and the option that chooses the operation. */
const COMMAND = /^(\S+ \S+)( <id>)?(?: (--.+))?$/;

export function variantOf(operation: DeclaredOperation): Variant[] {
  const { details, input } = operation;
  const [, command, id, flags] = COMMAND.exec(details.command ?? '') ?? [];
  if (command === undefined) return [];
  const options = optionsOf(input);
  const chosenBy = flags === undefined ? undefined : new Option(flags, details.summary);
  const takesId = id !== undefined;
  const members = options.filter(({ option }) => !option).map(({ member }) => member);
  const args = [...(takesId ? ['id'] : []), ...members];
  return [{ ...operation, command, takesId, chosenBy, options, args }];
}

export function addOperations(group: Command, variants: readonly Variant[], perform: Perform) {
  const first = baseOf(variants);
  const command = group
    .command(first.command.split(' ')[1] ?? '')
    .description(first.details.summary)
    .option('--json', 'one JSON document, for scripts')
    .option('--yes', 'do it without asking');
  const takesNoId = variants.some(({ takesId }) => !takesId);
  if (first.takesId) command.argument(takesNoId ? '[id]' : '<id>', 'as the list shows it');
  if (!('columns' in first.details.answer)) {
    command.option('--actor <name>', 'who does it; SUDO_USER or the user by default', parseActor);
  }
  const members = variants.flatMap((variant) => variant.options);
  for (const [, [member, ...same]] of Map.groupBy(members, ({ flags }) => flags)) {
    if (!member) continue;
    const { flags, description, option } = member;
    const choices = new Set([member, ...same].flatMap((each) => each.choices ?? []));
    if (!option) command.argument(takesNoId ? `[${flags.slice(1, -1)}]` : flags, description);
    else if (choices.size === 0) command.addOption(option);
    else command.addOption(new Option(flags, description).choices([...choices]));
  }
  for (const variant of variants) {
    const others = optionsBeside(variant, variants).map((option) => option.attributeName());
    if (variant.chosenBy) command.addOption(variant.chosenBy.conflicts(others));
  }
  command.action(async () =>
    perform(await taskOf(variants, command), command.opts<CommonOptions>()),
  );
}

const optionsBeside = ({ options }: Variant, variants: readonly Variant[]): Option[] =>
  variants
    .flatMap((variant) => variant.options)
    .filter(({ flags }) => options.every((own) => own.flags !== flags))
    .flatMap(({ option }) => option ?? []);

const baseOf = (variants: readonly Variant[]): Variant => {
  const base = variants.find(({ chosenBy }) => !chosenBy) ?? variants[0];
  if (!base) throw new Error('a command has an operation');
  return base;
};

/** @throws ArgumentError for arguments and options that the operation does not take together */
async function taskOf(variants: readonly Variant[], command: Command): Promise<Task> {
  const typed = command.opts<Record<string, unknown>>();
  const valueOf = (option: Option | undefined) => option && typed[option.attributeName()];
  const variant =
    variants.find(({ chosenBy }) => valueOf(chosenBy) !== undefined) ?? baseOf(variants);
  const { args, chosenBy, controller, details, input, name: method, options } = variant;
  if (command.args.length > args.length) {
    throw new ArgumentError(`name either an id or ${chosenBy?.long}`);
  }
  const missing = args[command.args.length];
  if (missing !== undefined) throw new ArgumentError(`missing required argument '${missing}'`);
  for (const other of variants) {
    const wrong = optionsBeside(variant, [other]).find((option) => valueOf(option) !== undefined);
    if (!wrong) continue;
    throw new ArgumentError(`${wrong.long} is taken with ${other.chosenBy?.long} only`);
  }
  const byName = (name: string) => command.args[args.indexOf(name)];
  const id = args.includes('id') ? byName('id') : valueOf(chosenBy);
  const members: Record<string, unknown> = {};
  for (const each of options) {
    const typedValue = each.option ? valueOf(each.option) : byName(each.member);
    if (typedValue !== undefined) members[each.member] = memberOf(each, typedValue);
  }
  const given = [
    ...(typeof id === 'string' ? [unshielded(id)] : []),
    ...(input ? [await checked(input, members, options)] : []),
  ];
  const { asks } = details;
  return {
    question: asks && (async (to) => asks(to.get(controller), ...given)),
    run: async (to) => {
      const running: Record<string, (...all: unknown[]) => Promise<unknown>> = to.get(controller);
      const answer = await running[method]?.(...given, to.actor, () => to.interruption());
      return outputOf(details, answer);
    },
  };
}

function memberOf(member: MemberOption, text: unknown): unknown {
  const { value, choices, option, parse, parseAll } = member;
  if (value !== undefined) return value;
  if (choices && !choices.includes(String(text))) {
    const allowed = `Allowed choices are ${choices.join(', ')}.`;
    throw new ArgumentError(`option '${option?.flags}' argument '${text}' is invalid. ${allowed}`);
  }
  if (Array.isArray(text)) {
    const texts = text.map((each: string) => unshielded(each));
    return parseAll ? parseAll(texts) : texts;
  }
  return parse ? parse(unshielded(String(text))) : unshielded(String(text));
}

/** The DTO, checked as over HTTP; faults name the option in place of the member. */
async function checked(
  input: Type<object>,
  members: object,
  options: readonly MemberOption[],
): Promise<unknown> {
  const pipe = inputPipe((message, { property, value }) => {
    const { option } = options.find(({ member }) => member === property) ?? {};
    if (value === undefined && option) {
      return new ArgumentError(`required option '${option.flags}' not specified`);
    }
    return new ArgumentError(message.replace(property, option?.long ?? property));
  });
  return pipe.transform(members, { type: 'body', metatype: input });
}

function parseActor(text: string): string {
  if (isVisibleName(text)) return text;
  throw new ArgumentError('--actor takes 1 to 64 visible characters');
}

/** Ids are 21 to 43 random characters, and one in 64 begins with a dash. No option name is that long. */
const LIKE_AN_OPTION = /^-[\w-]{20,42}$/;
const SHIELD = ':';

/** Marks the ids that a parser would take for options, so that it does not. */
export const shieldIds = (args: readonly string[]): string[] =>
  args.map((arg) => (LIKE_AN_OPTION.test(arg) ? SHIELD + arg : arg));

const unshielded = (text: string): string =>
  text.startsWith(`${SHIELD}-`) ? text.slice(SHIELD.length) : text;
