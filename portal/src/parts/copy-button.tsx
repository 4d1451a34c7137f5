import { Button, type ButtonProps } from '@mantine/core';
import { useClipboard } from '@mantine/hooks';
import { texts } from '../texts';

interface Props extends Required<Pick<ButtonProps, 'size'>> {
  readonly action: string;
  /** Accessible name of the copied text, for screen readers. */
  readonly label?: string;
  readonly textOf: () => string;
}

/** Copies a text and shows whether the browser allowed it. */
export function CopyButton({ action, label, textOf, size }: Props) {
  const { copy, copied, error } = useClipboard();
  const done = copied ? texts.actions.copied : action;
  const shown = error === null ? done : texts.actions.notCopied;
  return (
    <Button
      size={size}
      variant="default"
      onClick={() => copy(textOf())}
      aria-label={label === undefined ? shown : `${shown}: ${label}`}
    >
      {shown}
    </Button>
  );
}
