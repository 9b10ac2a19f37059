import { ContentScreener, type ScreenedContent, type ScreeningVerdict } from '#server';

/** Lets nothing through that names the next product. */
export class AcmeScreener extends ContentScreener {
  async screen({ text }: ScreenedContent): Promise<ScreeningVerdict> {
    return text.includes('Roadrunner') ? 'refused' : 'accepted';
  }
}
