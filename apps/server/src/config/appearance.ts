import { ArrayMaxSize, IsOptional } from 'class-validator';
import { List, Satisfies, Variable } from './variable.decorator.js';
import * as rules from './variable-rules.js';

/** The variables by which people know the service, and in which languages it speaks to them. */
export abstract class Appearance {
  @Variable('1 to 64 visible characters')
  @Satisfies(rules.isServiceName)
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
}
