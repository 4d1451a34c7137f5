import { Textarea } from '@mantine/core';
import { texts } from '../texts';

interface Props {
  readonly label: string;
  readonly description?: string;
  readonly value: readonly string[];
  readonly onChange: (lines: string[]) => void;
}

/** A list of texts, one a line. Empty lines stay while a person types; `withoutEmpty` drops them. */
export function LinesInput({ label, description, value, onChange }: Props) {
  // Here it would become two of them.
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
