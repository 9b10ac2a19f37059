import { ContentScreener, type ScreenedContent, type ScreeningResult } from 'gatehouse';

/** Lets nothing through that names the next product. */
export class AcmeScreener extends ContentScreener {
  async screen({ text }: ScreenedContent): Promise<ScreeningResult> {
    return text.includes('Roadrunner') ? 'refused' : 'accepted';
  }
}
