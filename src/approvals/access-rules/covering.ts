/**
 * SQL and its parameters: whether `rule` names the connection or shares an attribute with it, compared by the
 * visible characters of names (`visible_names`, migration NormalNames). The API stores names in one form; a
 * look-alike that was written directly into the table must not leave the connection uncovered.
 */
export function coversVisibly(connectionName: string, attributes: readonly string[]): [string, object] {
  const covers = (column: string, values: string): string =>
    `visible_names(rule.${column}) && visible_names(:${values}::text[])`;
  return [
    `(${covers('connection_names', 'names')} OR ${covers('attributes', 'attributes')})`,
    { names: [connectionName], attributes },
  ];
}
