// The tables of routes in docs/contract.md, from the API description.

/** Errors of particular routes; common ones are listed once above the tables. */
const OWN_ERRORS = ['403', '404', '409', '412', '422'];

/** `whoMayCall`: the sentence in an operation's description that names its callers. */
export function routesTables(document, whoMayCall) {
  const operations = Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({
      tag: operation.tags[0],
      row: row(`${method.toUpperCase()} ${path}`, operation, whoMayCall),
    })),
  );
  return document.tags
    .map(({ name }) => ({ name, rows: operations.filter(({ tag }) => tag === name).map(({ row }) => row) }))
    .map(
      ({ name, rows }) =>
        `### ${name}\n\n| Route | Who | What it does | Success | Errors of its own |\n|---|---|---|---|---|\n${rows.join('\n')}\n`,
    )
    .join('\n');
}

function row(route, { summary, description, responses }, whoMayCall) {
  const paragraphs = description.split('\n\n');
  const caller = Object.keys(whoMayCall).find((word) => paragraphs.includes(whoMayCall[word]));
  if (caller === undefined) throw new Error(`${route}: its description does not say who may call it`);
  const statuses = Object.keys(responses);
  const successes = statuses.filter((status) => status < '400');
  const errors = statuses.filter((status) => OWN_ERRORS.includes(status));
  return `| \`${route}\` | ${caller} | ${summary} | ${successes.join(' ')} | ${errors.join(' ')} |`;
}
