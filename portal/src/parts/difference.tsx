import { Code } from '@mantine/core';
import { useMemo } from 'react';
import classes from './difference.module.css';
import { Said } from './said';
import { differenceOf } from './text-difference';

interface Props {
  readonly before: string;
  readonly after: string;
}

/** Shows the changes between two texts in one text: added text is underlined, removed text is struck out. */
export function Difference({ before, after }: Props) {
  const pieces = useMemo(() => differenceOf(before, after), [before, after]);
  return (
    <Code block tabIndex={0} className={classes['wrapped'] ?? ''}>
      {pieces.map(({ kind, text }, at) =>
        kind === 'same' ? (
          <Said key={at} text={text} />
        ) : kind === 'added' ? (
          <ins key={at}>
            <Said text={text} />
          </ins>
        ) : (
          <del key={at}>
            <Said text={text} />
          </del>
        ),
      )}
    </Code>
  );
}
