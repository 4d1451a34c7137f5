import { Textarea } from '@mantine/core';
import { texts } from '../texts';

interface Props {
  readonly label: string;
  readonly description?: string;
  readonly value: readonly string[];
  readonly onChange: (lines: string[]) => void;
}

/** An input for a list of texts, one per line. Keeps empty lines during typing; `withoutEmpty` drops them. */
export function LinesInput({ label, description, value, onChange }: Props) {
  // The field is read-only if one of the texts has a line break, because it would become two texts.
  const isBroken = value.some((one) => one.includes('\n'));
  return (
    <Textarea
      label={label}
      description={isBroken ? texts.editing.broken : description}
      readOnly={isBroken}
      value={value.join('\n')}
      onChange={({ currentTarget }) =>
        onChange(currentTarget.value === '' ? [] : currentTarget.value.split('\n'))
      }
      autosize
      minRows={2}
      maxRows={12}
    />
  );
}

export const withoutEmpty = (lines: readonly string[]): string[] => lines.filter((line) => line !== '');
