import { log, part } from '../elements.js';
import { type Answers, fetchAnswer, type Get } from './answers.js';

/** One section of the page, with the id of its markup. */
export interface PageSection<Data = unknown> {
  readonly id: string;
  /** Requests the section's data by `get`. */
  load(get: Get): Promise<Data>;
  show(data: Data): void;
}

/** Infers the type of the section's data. */
export const pageSection = <Data>(section: PageSection<Data>): PageSection => section;

type Part = 'loading' | 'fault' | 'body';

/** Returns what loads all sections, and shows them together, so that the layout shifts at most once. */
export function sectionsLoader(
  sections: readonly PageSection[],
  explain: (error: unknown) => string,
) {
  const shown = new Set<string>();
  let turn = 0;

  /** Resolves to what shows the section, or why it could not be loaded. */
  const attempt = async (section: PageSection, get: Get) => {
    const { id } = section;
    try {
      const data = await section.load(get);
      return () => {
        section.show(data);
        shown.add(id);
        turnTo(id, 'body');
      };
    } catch (error) {
      return () => {
        log(error);
        // A section that is already shown keeps its content.
        if (shown.has(id)) return;
        const message = partOf(id, 'fault')?.querySelector('p');
        if (message) message.textContent = explain(error);
        turnTo(id, 'fault');
      };
    }
  };
  const load = async () => {
    turn += 1;
    const own = turn;
    const answers = new Map<string, Promise<unknown>>();
    /** The sections of one load share its answers. */
    const get = <Path extends keyof Answers>(path: Path) => {
      const answer = answers.get(path) ?? fetchAnswer(path);
      answers.set(path, answer);
      return answer as Promise<Answers[Path]>;
    };
    const loaded = await Promise.all(sections.map((section) => attempt(section, get)));
    // Answers of an outdated load are discarded.
    if (own === turn) for (const show of loaded) show();
  };
  for (const { id } of sections) {
    const retry = partOf(id, 'fault')?.querySelector('button');
    retry?.addEventListener('click', () => {
      part(`${id}-heading`).focus();
      void load();
    });
  }
  return load;
}

/** Undefined where the section has no such part: the overview line is visible from the start. */
function partOf(id: string, name: Part) {
  return document.querySelector<HTMLElement>(`#${id} > [data-part="${name}"]`) ?? undefined;
}

function turnTo(id: string, shown: Part) {
  for (const name of ['loading', 'fault', 'body'] as const) {
    partOf(id, name)?.toggleAttribute('hidden', name !== shown);
  }
  part(id).removeAttribute('aria-busy');
}
