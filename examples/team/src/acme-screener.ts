import { type ScreenedContent, type ScreeningResult, WordListScreener } from 'gatehouse';

/** Lets nothing through that the built-in list refuses, or that names the next product. */
export class AcmeScreener extends WordListScreener {
  override async screen(content: ScreenedContent, signal?: AbortSignal): Promise<ScreeningResult> {
    return content.text.includes('Roadrunner') ? 'refused' : super.screen(content, signal);
  }
}
