/**
 * Returns an SQL condition, with its parameters, for a query over rules (alias `rule`). It selects the rules
 * that name the connection or share an attribute with it.
 * Names are compared by their visible characters (`visible_names`, migration NormalNames). The API normalizes
 * names, but a look-alike written directly into the table must not leave the connection uncovered.
 */
export function coversVisibly(connectionName: string, attributes: readonly string[]): [string, object] {
  const covers = (column: string, values: string): string =>
    `visible_names(rule.${column}) && visible_names(:${values}::text[])`;
  return [
    `(${covers('connection_names', 'names')} OR ${covers('attributes', 'attributes')})`,
    { names: [connectionName], attributes },
  ];
}
