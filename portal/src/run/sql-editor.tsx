import { autocompletion, closeBrackets, completionKeymap } from '@codemirror/autocomplete';
import { defaultKeymap, history, historyKeymap } from '@codemirror/commands';
import { PostgreSQL, sql } from '@codemirror/lang-sql';
import { bracketMatching, defaultHighlightStyle, syntaxHighlighting } from '@codemirror/language';
import { EditorState, type Transaction } from '@codemirror/state';
import { EditorView, drawSelection, keymap, lineNumbers } from '@codemirror/view';
import { Text } from '@mantine/core';
import { useEffect, useEffectEvent, useRef } from 'react';
import { meta } from '../shell/meta';
import { texts } from '../texts';

interface Props {
  /** The text at first. Later it belongs to the editor. */
  readonly initial: string;
  readonly onChange: (text: string) => void;
  /** Ctrl-Enter, or Cmd-Enter. */
  readonly onRun: () => void;
}

/** An editor for SQL of PostgreSQL. Tab leaves it, as every field. */
export default function SqlEditor({ initial, onChange, onRun }: Props) {
  const place = useRef<HTMLDivElement>(null);
  const changed = useEffectEvent(onChange);
  const run = useEffectEvent(onRun);
  const first = useRef(initial);
  useEffect(() => {
    if (place.current === null) return undefined;
    const view = new EditorView({
      parent: place.current,
      state: EditorState.create({
        doc: first.current,
        extensions: [
          EditorView.cspNonce.of(meta('csp-nonce')),
          keymap.of([
            {
              key: 'Mod-Enter',
              run: () => {
                run();
                return true;
              },
            },
            ...completionKeymap,
            ...historyKeymap,
            ...defaultKeymap,
          ]),
          lineNumbers(),
          drawSelection(),
          history(),
          bracketMatching(),
          closeBrackets(),
          autocompletion(),
          syntaxHighlighting(defaultHighlightStyle),
          sql({ dialect: PostgreSQL, upperCaseKeywords: true }),
          EditorView.domEventHandlers({ beforeinput: typeOver }),
          EditorView.contentAttributes.of({ 'aria-label': texts.run.script }),
          EditorView.updateListener.of(({ docChanged, state }) => {
            if (docChanged) changed(state.doc.toString());
          }),
          EditorView.theme({
            '&': {
              minHeight: '10rem',
              fontSize: '0.9rem',
              border: '1px solid var(--mantine-color-default-border)',
              borderRadius: 'var(--mantine-radius-default)',
            },
          }),
        ],
      }),
    });
    return () => view.destroy();
  }, []);
  return (
    <div>
      <Text size="sm" fw={500} aria-hidden>
        {texts.run.script}
      </Text>
      <div ref={place} data-editor />
    </div>
  );
}

/**
 * What is typed over a selection. Browsers keep the style of what they delete, with a style attribute, which the policy of the page refuses and
 * reports: so the editor replaces it by itself.
 */
function typeOver(event: InputEvent, view: EditorView): boolean {
  const { from, to, empty } = view.state.selection.main;
  const { data } = event;
  if (event.inputType !== 'insertText' || data === null || empty || view.composing || !event.cancelable)
    return false;
  event.preventDefault();
  const insert = (): Transaction =>
    view.state.update(view.state.replaceSelection(data), { userEvent: 'input.type', scrollIntoView: true });
  const handlers = view.state.facet(EditorView.inputHandler);
  if (!handlers.some((handle) => handle(view, from, to, data, insert))) view.dispatch(insert());
  return true;
}
