import { TagsInput } from '@mantine/core';

interface Props {
  readonly label: string;
  readonly description?: string;
  readonly value: readonly string[];
  /** Suggestions; other names can be typed. */
  readonly known: readonly string[];
  readonly onChange: (names: string[]) => void;
}

/** A list of names: typed, or taken from those that are known. */
export function NamesInput({ label, description, value, known, onChange }: Props) {
  return (
    <TagsInput
      label={label}
      description={description}
      value={[...value]}
      data={[...new Set(known)]}
      onChange={onChange}
      // A name may have a comma in it, and upper case is another name.
      splitChars={[]}
      isDuplicate={(name, others) => others.includes(name)}
      acceptValueOnBlur
      maxDropdownHeight={240}
    />
  );
}
