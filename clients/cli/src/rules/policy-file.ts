import { YAMLException, loadAll } from 'js-yaml';
import { z } from 'zod';
import { CommandFault, EXIT } from '../exit-codes.js';
import { readTextFile } from '../text-file.js';
import { accessRule, attribute, connection, guardrail } from './fields.js';

/**
 * Sections of a file, in the order of creation. An object may name objects of earlier sections.
 */
export const SECTIONS = ['attributes', 'connections', 'guardrails', 'access_rules'] as const;
export type Section = (typeof SECTIONS)[number];

/** Fields of one object in a file. */
export interface Wanted {
  readonly name: string;
  readonly [field: string]: unknown;
}

/** The state that the files describe. */
export interface Policy {
  /** Objects by section. Sections that no file contains are ignored. */
  readonly wanted: ReadonlyMap<Section, readonly Wanted[]>;
  /** Names of objects to delete. */
  readonly deleted: ReadonlyMap<Section, readonly string[]>;
}

const names = z.array(z.string()).optional();

const document = z.strictObject({
  attributes: z.array(attribute).optional(),
  connections: z.array(connection).optional(),
  guardrails: z.array(guardrail).optional(),
  access_rules: z.array(accessRule).optional(),
  delete: z.strictObject({ attributes: names, guardrails: names, access_rules: names }).default({}),
});

/**
 * Reads policy files in YAML, which includes JSON.
 * @param files paths; `-` is standard input
 * @throws CommandFault `usage` with the position of the mistake
 */
export function readPolicy(files: readonly string[]): Policy {
  const wanted = new Map<Section, Wanted[]>();
  const deleted = new Map<Section, string[]>();
  for (const file of files)
    for (const { delete: gone, ...things } of documentsIn(file)) {
      for (const section of SECTIONS) {
        const found: readonly Wanted[] | undefined = things[section];
        if (found !== undefined) wanted.set(section, [...(wanted.get(section) ?? []), ...found]);
        const absent = section === 'connections' ? undefined : gone[section];
        if (absent !== undefined) deleted.set(section, [...(deleted.get(section) ?? []), ...absent]);
      }
    }
  for (const section of SECTIONS) {
    const all = [...(wanted.get(section) ?? []).map(({ name }) => name), ...(deleted.get(section) ?? [])];
    const twice = all.find((name, at) => all.indexOf(name) < at);
    if (twice !== undefined)
      throw new CommandFault(`${section}: ${twice} is named twice in the files`, EXIT.usage);
  }
  return { wanted, deleted };
}

function documentsIn(file: string): z.infer<typeof document>[] {
  const text = readTextFile(file, 'the file');
  try {
    return loadAll(text, { filename: file })
      .filter((one) => one !== null)
      .map((one) => document.parse(one));
  } catch (error) {
    if (error instanceof z.ZodError)
      throw new CommandFault(`${file} is not as it must be:\n${z.prettifyError(error)}`, EXIT.usage);
    if (error instanceof YAMLException) throw new CommandFault(error.message, EXIT.usage);
    throw error;
  }
}
