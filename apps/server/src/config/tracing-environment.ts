import { IsIn, IsOptional, Max, MaxLength, Min } from 'class-validator';
import { Appearance } from './appearance.js';
import { isHeaderList, isKeyValues } from './key-values.js';
import { Decimal, Satisfies, Variable } from './variable.decorator.js';
import { isCollectorUrl } from './variable-rules.js';

export const SAMPLERS = [
  'always_on',
  'always_off',
  'traceidratio',
  'parentbased_always_on',
  'parentbased_always_off',
  'parentbased_traceidratio',
] as const;

/** Variables of OpenTelemetry, by its names and with its meanings. */
export class TracingEnvironment extends Appearance {
  @Variable('an http or https URL without a name and a password')
  @IsOptional()
  @Satisfies(isCollectorUrl)
  OTEL_EXPORTER_OTLP_ENDPOINT?: string;

  @Variable('an http or https URL without a name and a password')
  @IsOptional()
  @Satisfies(isCollectorUrl)
  OTEL_EXPORTER_OTLP_TRACES_ENDPOINT?: string;

  @Variable('http/json')
  @IsOptional()
  @IsIn(['http/json'])
  OTEL_EXPORTER_OTLP_PROTOCOL?: 'http/json';

  @Variable('<name>=<value> entries, comma separated, other than headers of the connection')
  @IsOptional()
  @Satisfies(isHeaderList)
  OTEL_EXPORTER_OTLP_HEADERS?: string;

  @Variable('1 to 255 characters')
  @IsOptional()
  @MaxLength(255)
  OTEL_SERVICE_NAME?: string;

  @Variable('<name>=<value> entries, comma separated')
  @IsOptional()
  @Satisfies(isKeyValues)
  OTEL_RESOURCE_ATTRIBUTES?: string;

  @Variable(SAMPLERS.join(', '))
  @IsIn(SAMPLERS)
  OTEL_TRACES_SAMPLER: (typeof SAMPLERS)[number] = 'parentbased_always_on';

  @Variable('a number from 0 to 1')
  @Decimal()
  @Min(0)
  @Max(1)
  OTEL_TRACES_SAMPLER_ARG: number = 1;
}
