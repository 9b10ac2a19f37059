import { ArrayMaxSize, IsOptional } from 'class-validator';
import { isAccent } from '#libs/ui-templates';
import { List, Satisfies, Variable } from './variable.decorator.js';
import * as rules from './variable-rules.js';

/** The variables by which people know the service, and in which languages it speaks to them. */
export abstract class Appearance {
  @Variable('1 to 64 visible characters')
  @Satisfies(rules.isVisibleName)
  SERVICE_NAME: string = 'Gatehouse';

  @Variable('BCP 47 tags such as de, comma separated; the first is for everybody else')
  @IsOptional()
  @List()
  @Satisfies(rules.isLanguageTag)
  LOCALES?: string[];

  @Variable('an https URL of at most 500 characters')
  @IsOptional()
  @Satisfies(rules.isPublicUrl)
  SERVICE_WEBSITE?: string;

  @Variable('at most 4 https URLs of at most 500 characters, comma separated')
  @IsOptional()
  @List()
  @ArrayMaxSize(4)
  @Satisfies(rules.isPublicUrl)
  SERVICE_ICONS?: string[];

  @Variable('the path of an SVG file of at most 16384 bytes')
  @IsOptional()
  SERVICE_LOGO_FILE?: string;

  @Variable('a colour such as #1c5d86 whose contrast against white is at least 4.5 to 1')
  @IsOptional()
  @Satisfies(isAccent)
  SERVICE_ACCENT?: string;

  @Variable('at most 4 links such as Imprint=https://gate.example/imprint, comma separated')
  @IsOptional()
  @List()
  @ArrayMaxSize(4)
  @Satisfies(rules.isFootLink)
  SERVICE_LINKS?: string[];
}
