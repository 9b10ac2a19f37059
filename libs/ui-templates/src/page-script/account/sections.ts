import { log, part } from '../elements.js';
import { type Answers, fetchAnswer, type Get } from './answers.js';

/** One section of the page, with the id of its markup. */
export interface PageSection {
  readonly id: string;
  /** Requests the section's data by `get`; the returned function shows it. */
  load(get: Get): Promise<() => void>;
}

type Part = 'loading' | 'fault' | 'body';

/** Loads all sections in parallel and shows them together, so that the layout shifts at most once. */
export class SectionsLoader {
  private readonly shown = new Set<string>();
  private turn = 0;

  /** `explain` describes why a section could not be loaded. */
  constructor(
    private readonly sections: readonly PageSection[],
    private readonly explain: (error: unknown) => string,
  ) {
    for (const { id } of sections) {
      partOf(id, 'fault')
        ?.querySelector('button')
        ?.addEventListener('click', () => {
          part(`${id}-heading`).focus();
          void this.load();
        });
    }
  }

  async load() {
    this.turn += 1;
    const { turn } = this;
    const answers = new Map<string, Promise<unknown>>();
    /** The sections of one load share its answers. */
    const get = <Path extends keyof Answers>(path: Path) => {
      const answer = answers.get(path) ?? fetchAnswer(path);
      answers.set(path, answer);
      return answer as Promise<Answers[Path]>;
    };
    const loaded = await Promise.all(this.sections.map((section) => this.loadOne(section, get)));
    // Answers of an outdated load are discarded.
    if (turn === this.turn) for (const show of loaded) show();
  }

  private async loadOne({ id, load }: PageSection, get: Get) {
    try {
      const show = await load(get);
      return () => this.show(id, show);
    } catch (error) {
      return () => this.fail(id, error);
    }
  }

  private show(id: string, show: () => void) {
    show();
    this.shown.add(id);
    turnTo(id, 'body');
  }

  /** A section that is already shown keeps its content when it cannot be reloaded. */
  private fail(id: string, error: unknown) {
    log(error);
    if (this.shown.has(id)) return;
    const message = partOf(id, 'fault')?.querySelector('p');
    if (message) message.textContent = this.explain(error);
    turnTo(id, 'fault');
  }
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
