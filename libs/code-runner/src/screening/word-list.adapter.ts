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
/** A word on the border of two slices is whole in one of them. */
const OVERLAP_LENGTH = 64;
/** Soft hyphens, joiners of no width and the like, which a reader does not see between two letters. */
const INVISIBLE = /\p{Default_Ignorable_Code_Point}/gu;

/**
 * Refuses English swear words and slurs, in the spellings that the library sees through. Other
 * requests get their turn between two slices, be they of one long text or of many texts of an account at once.
 * Nothing leaves the process.
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
