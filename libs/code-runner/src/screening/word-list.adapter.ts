import {
  englishDataset,
  englishRecommendedTransformers,
  type MatchPayload,
  RegExpMatcher,
} from 'obscenity';
import { AccountTurns } from '#libs/platform';
import { ContentScreener, type ScreenedContent, type ScreeningResult } from './content-screener.js';
import { isFalsePositive } from './false-positives.js';

/** About 1 ms of matching; 64 KiB at once would take 25 ms, and the library's worst case 80 ms. */
const SLICE_LENGTH = 2_048;
/** So that a word across the border of two slices is whole in one of them. */
const OVERLAP_LENGTH = 64;
/** Soft hyphens, zero-width joiners and the like, which are invisible between two letters. */
const INVISIBLE = /\p{Default_Ignorable_Code_Point}/gu;

/**
 * Refuses English swear words and slurs, in the spellings that the library recognises. Between two slices it yields
 * to other requests, both for one long text and for many texts of an account at once. No content leaves the
 * process.
 */
export class WordListScreener extends ContentScreener {
  private readonly turns = new AccountTurns();
  private readonly matcher = new RegExpMatcher({
    ...englishDataset.build(),
    ...englishRecommendedTransformers,
  });

  override async screen(content: ScreenedContent, signal?: AbortSignal): Promise<ScreeningResult> {
    const text = content.text.replace(INVISIBLE, '');
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
