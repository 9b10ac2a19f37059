import { element, Refusal, refusalMessage, send } from '#libs/ui-templates/page-script';
import type { AccountScriptTexts } from '../account-texts.js';

/** Asks the service; the answers of one round are shared between sections. */
export type Get = <Answer>(path: string) => Promise<Answer>;

/** One section of the page, of the id that its template has. */
export interface Section {
  readonly id: string;
  /** Gets what the section shows; what it returns then shows it. Throws Refusal. */
  load(get: Get): Promise<() => void>;
}

type Part = 'loading' | 'fault' | 'body';

/** Loads sections all at once and shows them all at once, so that the page moves once at most. */
export class Sections {
  /** What the service last said for each section, as it came. */
  private readonly shown = new Map<string, string>();

  constructor(
    private readonly sections: readonly Section[],
    private readonly texts: AccountScriptTexts,
  ) {
    for (const { id } of sections) {
      part(id, 'fault')
        .querySelector('button')
        ?.addEventListener('click', () => {
          document.getElementById(`${id}-heading`)?.focus();
          void this.refresh();
        });
    }
  }

  /** Asks for everything again; what did not change stays as it is. */
  async refresh() {
    const answers = new Map<string, Promise<unknown>>();
    const steps = this.sections.map((section) => this.load(section, answers));
    for (const show of await Promise.all(steps)) show();
  }

  private async load({ id, load }: Section, answers: Map<string, Promise<unknown>>) {
    const said: unknown[] = [];
    const get = async <Answer>(path: string) => {
      const answer = answers.get(path) ?? send<Answer>('GET', path);
      answers.set(path, answer);
      said.push(await answer);
      return answer as Promise<Answer>;
    };
    try {
      const show = await load(get);
      return () => this.show(id, JSON.stringify(said), show);
    } catch (error) {
      return () => this.fail(id, error);
    }
  }

  private show(id: string, said: string, show: () => void) {
    if (this.shown.get(id) !== said) show();
    this.shown.set(id, said);
    turnTo(id, 'body');
  }

  /** What is on the page stays there when it cannot be brought up to date. */
  private fail(id: string, error: unknown) {
    if (this.shown.has(id)) return;
    const { ceremonies, page } = this.texts;
    const why = error instanceof Refusal ? refusalMessage(error, ceremonies) : ceremonies.failed;
    const message = part(id, 'fault').querySelector('p');
    if (message) message.textContent = `${page.notLoaded} ${why}`;
    turnTo(id, 'fault');
  }
}

function part(id: string, name: Part) {
  const found = element<HTMLElement>(id).querySelector<HTMLElement>(`[data-part="${name}"]`);
  if (!found) throw new Error(`no ${name} in #${id}`);
  return found;
}

function turnTo(id: string, shown: Part) {
  for (const name of ['loading', 'fault', 'body'] as const) part(id, name).hidden = name !== shown;
  element<HTMLElement>(id).setAttribute('aria-busy', 'false');
}
