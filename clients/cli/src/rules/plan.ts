import { CommandFault, EXIT } from '../exit-codes.js';
import { type FieldChange, differences, stated } from './difference.js';
import type { Kind, Known, Stored, Versioned } from './kind.js';
import { type Policy, SECTIONS, type Section, type Wanted } from './policy-file.js';

/** One change to one object. */
export interface Change {
  readonly kind: Kind;
  readonly name: string;
  readonly action: 'create' | 'change' | 'delete';
  readonly fields: readonly FieldChange[];
  /** Applies the change if the object was not changed since the comparison. Deletions return undefined. */
  readonly apply: () => Promise<Stored | undefined>;
  /** Undefined for a deletion. */
  readonly wanted?: Wanted;
}

export interface Plan {
  /** Changes in the order of their execution. */
  readonly changes: readonly Change[];
  /** Number of objects that match the files already. */
  readonly same: number;
  /** Stored objects that no file names, in the sections that the files contain. They are not changed. */
  readonly others: readonly { readonly kind: Kind; readonly name: string }[];
}

/**
 * Returns the changes that bring the gateway to the state in the files.
 * @param isPruned true: objects that no file names are deleted
 * @throws CommandFault for impossible changes, before any change is made
 */
export async function planOf(
  policy: Policy,
  kinds: Readonly<Record<Section, Kind>>,
  isPruned: boolean,
): Promise<Plan> {
  const made: Change[] = [];
  const deleted: Change[] = [];
  const others: { kind: Kind; name: string }[] = [];
  let same = 0;
  for (const section of SECTIONS) {
    const [wanted, gone] = [policy.wanted.get(section), policy.deleted.get(section)];
    if (wanted === undefined && gone === undefined) continue;
    const kind = kinds[section];
    const known = new Map((await kind.all()).map((one) => [one.fields.name, one]));
    for (const one of wanted ?? []) {
      const change = await changeTo(kind, one, known.get(one.name));
      if (change === undefined) same += 1;
      else made.push(change);
    }
    const named = new Set([...(wanted ?? []).map(({ name }) => name), ...(gone ?? [])]);
    const rest =
      wanted === undefined || kind.remove === undefined
        ? []
        : [...known.keys()].filter((name) => !named.has(name) && !isNamedElsewhere(policy, section, name));
    const unwanted = [...(gone ?? []), ...(isPruned ? rest : [])];
    for (const name of unwanted) {
      const found = known.get(name);
      if (found === undefined) same += 1;
      else if (found.managedBy === null || gone?.includes(name) === true)
        deleted.unshift(await deletion(kind, found));
    }
    if (!isPruned) others.push(...rest.map((name) => ({ kind, name })));
  }
  return { changes: [...made, ...deleted], same, others };
}

/** Whether a rule or connection in the files names this attribute. If so, the attribute is not pruned. */
function isNamedElsewhere({ wanted }: Policy, section: Section, name: string): boolean {
  if (section !== 'attributes') return false;
  return [...wanted.values()]
    .flat()
    .some(({ attributes }) => Array.isArray(attributes) && attributes.includes(name));
}

async function changeTo(kind: Kind, wanted: Wanted, listed: Known | undefined): Promise<Change | undefined> {
  kind.check?.(wanted);
  const { name } = wanted;
  if (listed === undefined) {
    const { create } = kind;
    if (create === undefined)
      throw new CommandFault(`there is no ${kind.label} ${name}, and files cannot make one`, EXIT.notFound);
    const { name: _, ...rest } = stated(wanted, kind.defaults);
    const fields = Object.entries(rest).map(([field, after]) => ({ field, before: undefined, after }));
    return { kind, name, action: 'create', fields, wanted, apply: () => create(wanted) };
  }
  if (differences(listed.fields, wanted).length === 0) return undefined;
  const known = await writable(kind, listed);
  const fields = differences(known.fields, wanted);
  if (fields.length === 0) return undefined;
  return { kind, name, action: 'change', fields, wanted, apply: () => kind.update(known, wanted) };
}

async function deletion(kind: Kind, listed: Known): Promise<Change> {
  const { name } = listed.fields;
  const { remove } = kind;
  if (remove === undefined) throw new CommandFault(`files cannot delete ${kind.label} ${name}`, EXIT.usage);
  const known = await writable(kind, listed);
  return {
    kind,
    name,
    action: 'delete',
    fields: [],
    apply: async () => {
      await remove(known);
      return undefined;
    },
  };
}

/** Reads the current version of an object. Refuses an object that an external system manages. */
async function writable(kind: Kind, { id, fields, managedBy }: Known): Promise<Versioned> {
  if (managedBy !== null)
    throw new CommandFault(
      `${kind.label} ${fields.name} is managed by ${managedBy}, and files cannot change it`,
      EXIT.usage,
    );
  return kind.read(id);
}
