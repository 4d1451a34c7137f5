import { Code } from '@mantine/core';
import { useMemo } from 'react';
import classes from './long-text.module.css';
import { Said } from './said';
import { linesIn, partsOf } from './text-parts';

const LINE_HEIGHT = 20;

/**
 * Text that another person wrote, of any length: all of it can be searched and copied, and the browser lays
 * out the visible part.
 */
export function LongText({ text }: { readonly text: string }) {
  const parts = useMemo(() => partsOf(text), [text]);
  const [only] = parts;
  if (parts.length === 1 && only !== undefined)
    return (
      <Code block tabIndex={0} className={classes['wrapped']}>
        <Said text={only} />
      </Code>
    );
  return (
    <Code block tabIndex={0} className={`${classes['wrapped']} ${classes['text']}`}>
      {parts.map((part, at) => (
        <span
          key={at}
          data-part={part.endsWith('\n') ? 'line' : 'cut'}
          className={classes['part']}
          style={{ containIntrinsicSize: `auto ${linesIn(part) * LINE_HEIGHT}px` }}
        >
          {/* The next part begins a line of its own. */}
          <Said text={part.replace(/\n$/, '')} />
        </span>
      ))}
    </Code>
  );
}
