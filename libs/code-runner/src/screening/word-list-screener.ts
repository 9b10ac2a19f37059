import { Injectable, Optional } from '@nestjs/common';
import {
  englishDataset,
  englishRecommendedTransformers,
  type MatchPayload,
  RegExpMatcher,
} from 'obscenity';
import { AccountTurns } from '#libs/platform';
import { ContentScreener, type ScreenedContent, type ScreeningResult } from './content-screener.js';

/**
 * The list also matches inside identifiers, such as `openIssue`: only whole words, these compounds and endings count.
 */
const COMPOUND =
  /^(?:bull|horse|chicken|dog|dip|ape|bat|dumb|jack|smart|fat|hard|bad|lame|mother)?$/;
const ENDING = new RegExp(
  `^(?:${[
    's|es|d|ed|r|rs|er|ers|ing|ings|y|ies|ier|iest|ty|ly|ish|g|got|gots',
    'ate|ated|ates|ating|ation|ity|tion|io',
    'ass|bag|cake|face|fest|head|heads|hole|holes|load|off|piece|show|stick|sucker|wad|wit',
  ].join('|')})?$`,
);

/** Never counted as matches: names in code and in SQL, forms, icons, Latin. */
const ORDINARY = new Set('abo cum d(k dck f(k fa6 fk fu prn scat sex t17'.split(' '));

/** Words that count inside any other word too, when they are spelt normally. */
const STRONG = new Set(['fuck', 'nigger']);

const LONGEST_NEIGHBOUR = 20;
const WORD_BEFORE = /[\p{L}\p{N}]*$/u;
const WORD_AFTER = /^[\p{L}\p{N}]*/u;

interface FoundWord {
  readonly word: string;
  readonly from: number;
  readonly to: number;
}

/** Whether a match is only part of an ordinary word, name or number. */
function isFalsePositive(text: string, { word, from, to }: FoundWord): boolean {
  const spelt = text.slice(from, to).toLowerCase();
  if (ORDINARY.has(withoutMarks(spelt))) return true;
  if (count(spelt, /\p{N}/gu) > count(spelt, /\p{L}/gu)) return true;
  if (STRONG.has(word) && spelt.includes(word)) return false;
  const [before] = WORD_BEFORE.exec(text.slice(Math.max(0, from - LONGEST_NEIGHBOUR), from)) ?? [
    '',
  ];
  const [after] = WORD_AFTER.exec(text.slice(to, to + LONGEST_NEIGHBOUR)) ?? [''];
  return !COMPOUND.test(before.toLowerCase()) || !ENDING.test(after.toLowerCase());
}

/** As the list reads it: a slice that ends after two letters of `für` gives `fu`. */
const withoutMarks = (text: string) => text.normalize('NFD').replaceAll(/\p{M}/gu, '');

const count = (text: string, pattern: RegExp) => text.match(pattern)?.length ?? 0;

/** About 1 ms of matching; 64 KiB at once would take 25 ms, and the library's worst case 80 ms. */
const SLICE_LENGTH = 2_048;
/** So that a word across the border of two slices is whole in one of them. */
const OVERLAP_LENGTH = 64;
/** Soft hyphens, zero-width joiners and the like, which are invisible between two letters. */
const INVISIBLE = /\p{Default_Ignorable_Code_Point}/gu;
/** One random UUID in a thousand has a group such as `aa55` or `b00b`, which the list reads as a word. */
const UUID = /\b[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}\b/giu;

/**
 * Refuses English swear words and slurs, in the spellings that the library recognises. Between two slices it yields to
 * other requests. No content leaves the process.
 */
@Injectable()
export class WordListScreener extends ContentScreener {
  private readonly matcher = new RegExpMatcher({
    ...englishDataset.build(),
    ...englishRecommendedTransformers,
  });

  /** Between slices come the other requests of an account where they take the same turns. */
  constructor(@Optional() private readonly turns: AccountTurns = new AccountTurns()) {
    super();
  }

  override async screen(content: ScreenedContent, signal?: AbortSignal): Promise<ScreeningResult> {
    const text = content.text.replace(INVISIBLE, '').replace(UUID, ' ');
    for (let start = 0; start < text.length; start += SLICE_LENGTH) {
      await this.turns.take(content.userId);
      signal?.throwIfAborted();
      if (this.refuses(text, start)) return 'refused';
    }
    return 'accepted';
  }

  private refuses(text: string, start: number) {
    const slice = text.slice(start, start + SLICE_LENGTH + OVERLAP_LENGTH);
    return this.matcher.getAllMatches(slice).some((match) => {
      const from = start + match.startIndex;
      const to = start + match.endIndex + 1;
      return !isFalsePositive(text, { word: wordOf(match), from, to });
    });
  }
}

const wordOf = (match: MatchPayload) =>
  englishDataset.getPayloadWithPhraseMetadata(match).phraseMetadata?.originalWord ?? '';
