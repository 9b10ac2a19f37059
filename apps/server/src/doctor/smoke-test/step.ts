import type { Finding } from '../finding.js';
import type { Answer, Ask, Question } from './exchange.js';
import { refusal, unreachable } from './probe-errors.js';

/** One question of a smoke test, and the check of its answer. */
export interface Step {
  readonly name: string;
  readonly question: Question;
  /** Called only for answers that are not a known refusal. */
  readonly validate: (answer: Answer) => Finding;
}

/** Asks a step's question at an origin. Never rejects: a missing answer is a finding too. */
export async function runStep(
  { name, question, validate }: Step,
  origin: string,
  ask: Ask,
): Promise<Finding> {
  try {
    const answer = await ask(question);
    return refusal(name, origin, answer) ?? validate(answer);
  } catch (error) {
    return unreachable(origin, error);
  }
}
