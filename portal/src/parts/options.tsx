import { CheckIcon, type MantineThemeComponents, Pill, type PillProps } from '@mantine/core';
import { Said } from './said';

interface Option {
  readonly label?: string;
  readonly value: unknown;
}

interface OptionProps {
  readonly option: Option;
  readonly checked?: boolean;
}

interface ChosenProps {
  /** The chosen option; undefined if the list of options no longer contains the value. */
  readonly option: Option | undefined;
  readonly value: unknown;
  readonly onRemove: () => void;
  readonly disabled?: boolean;
  readonly reorderProps?: PillProps;
}

const labelOf = ({ label, value }: Option): string => label ?? String(value);

function renderOption({ option, checked = false }: OptionProps) {
  return (
    <>
      {checked && <CheckIcon size="0.8em" style={{ flex: 'none' }} />}
      <Said text={labelOf(option)} />
    </>
  );
}

function renderPill({ option, value, onRemove, disabled = false, reorderProps }: ChosenProps) {
  return (
    <Pill withRemoveButton={!disabled} onRemove={onRemove} disabled={disabled} {...reorderProps}>
      <Said text={labelOf(option ?? { value })} />
    </Pill>
  );
}

/**
 * Theme defaults for inputs whose options contain text from users: each option is rendered with `Said`. They
 * are in the theme, so that no page can forget it (test/portal/lists.spec.ts).
 */
export const saidOptions: MantineThemeComponents = {
  Select: { defaultProps: { renderOption } },
  MultiSelect: { defaultProps: { renderOption, renderPill } },
  Autocomplete: { defaultProps: { renderOption } },
  TagsInput: { defaultProps: { renderOption, renderPill } },
};
