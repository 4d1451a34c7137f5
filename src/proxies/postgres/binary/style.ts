/**
 * Formats in which the session prints values, as the server reported them by ParameterStatus. A setting that
 * was not reported has PostgreSQL's default.
 */
export interface PrintStyle {
  readonly dates: 'ISO' | 'SQL' | 'Postgres' | 'German';
  /** Whether the day comes before the month in styles that allow both orders. */
  readonly dayFirst: boolean;
  readonly intervals: 'postgres' | 'postgres_verbose' | 'sql_standard' | 'iso_8601';
  readonly timeZone: string;
}

const DATES = ['ISO', 'SQL', 'Postgres', 'German'] as const;
const INTERVALS = ['postgres', 'postgres_verbose', 'sql_standard', 'iso_8601'] as const;

/**
 * Names of the parameters that change how values are printed. Source:
 * PostgreSQL documentation, "Asynchronous Operations".
 */
export const STYLE_PARAMETERS: ReadonlySet<string> = new Set(['DateStyle', 'IntervalStyle', 'TimeZone']);

export function styleOf(parameters: ReadonlyMap<string, string>): PrintStyle {
  const [dates, order] = (parameters.get('DateStyle') ?? 'ISO, MDY').split(', ');
  const intervals = parameters.get('IntervalStyle');
  return {
    dates: DATES.find((known) => known === dates) ?? 'ISO',
    dayFirst: order === 'DMY',
    intervals: INTERVALS.find((known) => known === intervals) ?? 'postgres',
    timeZone: parameters.get('TimeZone') ?? 'UTC',
  };
}
