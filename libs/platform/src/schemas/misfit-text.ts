import { schemaText } from './schema-text.ts';
import { type Misfit, type Path, memberOf } from './misfit.ts';
import { quoted, shortList } from './short-text.ts';

const MAX_STEPS = 8;

/** `timeoutMs takes an integer from 1 to 30000`: one clause of a bounded length, without a full stop. */
export function misfitText({ path, keyword, schema }: Misfit): string {
  const at = pathText(path);
  if (keyword === 'required') return `${at} is missing; it takes ${schemaText(schema)}`;
  const [subject, takes] = at === '' ? ['the arguments', 'take'] : [at, 'takes'];
  if (keyword === 'additionalProperties' || keyword === 'unevaluatedProperties') {
    const names = Object.keys(Object(memberOf(schema, 'properties')));
    const only = names.length === 0 ? 'no properties' : `only the properties ${shortList(names)}`;
    return `${subject} ${takes} ${only}`;
  }
  return `${subject} ${takes} ${schemaText(schema)}`;
}

/** `items[2].name` */
function pathText(path: Path): string {
  const cut = path.length > MAX_STEPS ? '…' : '';
  const text = path.slice(0, MAX_STEPS).map(stepText).join('');
  return `${text.replace(/^\./, '')}${cut}`;
}

const stepText = (step: string | number) => {
  if (typeof step === 'number') return `[${step}]`;
  const name = quoted(step);
  return name.startsWith('"') ? `[${name}]` : `.${name}`;
};
