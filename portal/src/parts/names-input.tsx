import { TagsInput } from '@mantine/core';

interface Props {
  readonly label: string;
  readonly description?: string;
  readonly value: readonly string[];
  /** Suggestions; other names can be typed. */
  readonly known: readonly string[];
  readonly onChange: (names: string[]) => void;
}

/** An input for a list of names, typed or selected from suggestions. */
export function NamesInput({ label, description, value, known, onChange }: Props) {
  return (
    <TagsInput
      label={label}
      description={description}
      value={[...value]}
      data={[...new Set(known)]}
      onChange={onChange}
      // A name may contain a comma. Names that differ in case are different.
      splitChars={[]}
      isDuplicate={(name, others) => others.includes(name)}
      acceptValueOnBlur
      maxDropdownHeight={240}
    />
  );
}
