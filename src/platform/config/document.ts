import { z } from 'zod';
import { secretVariables } from './secret-variables';
import { variables } from './variables';

interface Row {
  name: string;
  fallback: string | undefined;
  meaning: string;
  secret: boolean;
}

function rows(): Row[] {
  return Object.entries(variables.shape).map(([name, schema]) => ({
    name,
    fallback: defaultOf(schema),
    meaning: schema.description ?? '',
    // If `<NAME>_FILE` has a row of its own, the row of `<NAME>` does not mention it.
    secret: (secretVariables as readonly string[]).includes(name) && !(`${name}_FILE` in variables.shape),
  }));
}

function defaultOf(schema: z.ZodType): string | undefined {
  if (!(schema instanceof z.ZodDefault)) return undefined;
  const value = schema.def.defaultValue;
  return Array.isArray(value) ? value.join(',') : String(value);
}

/** The table of docs/configuration.md, in Markdown. */
export function configurationTable(): string {
  const lines = rows().map(
    (row) =>
      `| \`${row.name}\`${row.secret ? ` or \`${row.name}_FILE\`` : ''} | ${row.fallback ? `\`${row.fallback}\`` : ''} | ${row.meaning.replaceAll('](docs/', '](')} |`,
  );
  return ['| Variable | Default | Meaning |', '| --- | --- | --- |', ...lines].join('\n');
}

/** `.env.example`: every variable with its meaning, commented out because every default works. */
export function environmentExample(): string {
  const lines = rows().map(
    (row) => `# ${row.meaning.replaceAll('`', '')}\n#${row.name}=${row.fallback ?? ''}\n`,
  );
  return `# Copy to .env and load it with: node --env-file=.env .\n\n${lines.join('\n')}`;
}
