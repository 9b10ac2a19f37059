const pages = (file) => `apps/server/src/tools/pages/${file}`;
const schemas = (file) => `libs/json-schema/src/${file}`;

const unit = (file, spec = file.replace(/\.ts$/, '.spec')) => ({
  file,
  project: 'unit',
  specs: spec,
});

const strange = (file) => unit(schemas(file), schemas('strange-schemas.spec'));

export const mutants = [
  {
    ...unit(pages('page-text.ts')),
    name: 'the words of a page are told as ours',
    find: '`instructions: ${JSON.stringify(visible(sources[0].tool.description))}`',
    replace: '`instructions: "${visible(sources[0].tool.description)}"`',
  },
  {
    ...unit(pages('visible.ts'), pages('page-text.spec')),
    name: 'a page says to models what people do not see',
    find: ".replaceAll(INVISIBLE, '')",
    replace: '',
  },
  {
    ...unit(pages('page-text.ts')),
    name: 'a page gives its tool the title of one of ours',
    find: ' (offered by a page)',
    replace: '',
  },
  {
    ...unit(pages('page-names.ts')),
    name: "a page takes the name of another page's tool",
    find: 'Number(!one.only) - Number(!other.only)',
    replace: '0',
  },
  {
    ...unit(pages('page-tools.adapter.ts')),
    name: 'what is open is told to apps that may not use it',
    find: '    if (!caller.scopes.includes(SCOPE)) return [];\n',
    replace: '',
  },
  {
    ...unit(pages('page-tools.adapter.ts')),
    name: 'arguments reach a page without a look at its schema',
    find: 'return argumentsMisfit(offer.sources[0].tool, input);',
    replace: 'return input && undefined;',
  },
  {
    ...unit(pages('offered-tools.service.ts')),
    name: 'what a page says is not screened',
    find: 'passes || alone()',
    replace: '!passes || alone()',
  },
  {
    ...unit(pages('page-contents.ts')),
    name: 'a page links to a file',
    find: '/^https?:\\/\\//i.test(uri)',
    replace: 'true',
  },
  {
    ...unit(pages('page-contents.ts')),
    name: 'a page speaks to clients by _meta',
    find: 'Object.keys(block).every((name) => members.has(name))',
    replace: 'members.size > 0',
  },
  {
    ...unit(pages('page-schema.ts')),
    name: 'a page makes headers of arguments',
    find: "  if (name === 'x-mcp-header') return undefined;\n",
    replace: '',
  },
  {
    ...strange('evaluation.ts'),
    name: 'a schema that leads to itself overruns the stack',
    find: "if (this.levels > MAX_LEVELS) throw new ExhaustedError('the schema leads too deep');",
    replace: '',
  },
  {
    ...strange('patterns.ts'),
    name: 'a pattern costs nothing',
    find: '    this.spend(STEPS_TO_COMPILE * (expression?.programSize() ?? pattern.length));\n',
    replace: '',
  },
  {
    ...strange('combining-rules.ts'),
    name: 'what cannot be told counts against somebody',
    find: 'return site.run.doubts > doubtsBefore ? undefined : true;',
    replace: 'return doubtsBefore >= 0;',
  },
  {
    ...unit(schemas('schema-fault.ts')),
    name: 'a schema leads out of itself',
    find: 'if (isReference && references.find(value) === undefined) {',
    replace: 'if (isReference && value === undefined) {',
  },
  {
    ...unit(pages('offered-tools.service.ts')),
    name: 'a page asks the screener as often as it likes',
    find: 'if (!this.questions.take(user.id, 1)) throw',
    replace: 'if (!user.id) throw',
  },
  {
    ...unit(pages('shown-tab.ts')),
    name: 'a title says to models what people do not see',
    find: 'title: visible(title),\n  url',
    replace: 'title,\n  url',
  },
  {
    ...unit(pages('page-tools.adapter.ts')),
    name: 'checks of one account keep everybody waiting',
    find: '        await this.turns.take(caller.user.id);\n        return arg',
    replace: '        return arg',
  },
  {
    ...unit(schemas('expressions.ts')),
    name: 'a class of many characters is read each time it is named',
    find: 'SHORT_CLASS.test(escape) || isProperty(escape)',
    replace: 'escape === pattern',
  },
  {
    ...unit(schemas('keyword-shapes.ts')),
    name: 'a keyword holds what is no schema',
    find: '    if (!isJsonObject(next)) return false;\n',
    replace: '    if (!isJsonObject(next)) continue;\n',
  },
  {
    ...strange('patterns.ts'),
    name: 'classes of many characters cost nothing',
    find: '    this.spend(properties * STEPS_TO_READ_A_PROPERTY);\n',
    replace: '',
  },
  {
    name: 'a message is sent whose caller went while it was screened',
    file: 'apps/server/src/tools/send-message.tool.ts',
    find: 'value: body }, signal)',
    replace: 'value: body })',
    project: 'e2e-embedded',
    specs: 'test/mcp/screening-webhook.e2e-spec.ts',
  },
];
