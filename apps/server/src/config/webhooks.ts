import { ArrayMaxSize, IsOptional } from 'class-validator';
import { Appearance } from './appearance.js';
import { List, Satisfies, Variable } from './variable.decorator.js';
import * as rules from './variable-rules.js';

/** The variables that name whom the service asks, and tells. */
export abstract class Webhooks extends Appearance {
  @Variable('an http or https URL')
  @IsOptional()
  @Satisfies(rules.isWebhookUrl)
  SCREENING_WEBHOOK_URL?: string;

  @Variable('an https URL without name and password; plain http only on loopback')
  @IsOptional()
  @Satisfies(rules.isEventsWebhookUrl)
  EVENTS_WEBHOOK_URL?: string;

  @Variable('whsec_ and 24 to 64 bytes as base64; at most 4 of them, comma separated')
  @IsOptional()
  @List()
  @ArrayMaxSize(4)
  @Satisfies(rules.isWebhookSecret)
  EVENTS_WEBHOOK_SECRET?: string[];
}
