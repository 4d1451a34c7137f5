import { autocompletion, closeBrackets, closeCompletion, completionKeymap } from '@codemirror/autocomplete';
import { defaultKeymap, history, historyKeymap } from '@codemirror/commands';
import { PostgreSQL, sql } from '@codemirror/lang-sql';
import {
  HighlightStyle,
  bracketMatching,
  defaultHighlightStyle,
  syntaxHighlighting,
} from '@codemirror/language';
import {
  Compartment,
  EditorSelection,
  EditorState,
  type Extension,
  type SelectionRange,
  type Transaction,
} from '@codemirror/state';
import { EditorView, drawSelection, keymap, lineNumbers } from '@codemirror/view';
import { tags } from '@lezer/highlight';
import { Text, useComputedColorScheme } from '@mantine/core';
import { useEffect, useEffectEvent, useRef, useState } from 'react';
import { meta } from '../shell/meta';
import { texts } from '../texts';
import { type Tables, columnsInText, defaultSchemaOf, namespaceOf } from './completion';
import { useTables } from './tables';

const language = new Compartment();
const colors = new Compartment();

const ON_DARK = HighlightStyle.define([
  { tag: tags.keyword, color: '#d2a8ff' },
  { tag: [tags.string, tags.special(tags.string)], color: '#ff9d9d' },
  { tag: [tags.number, tags.bool, tags.null], color: '#7ee2a8' },
  { tag: [tags.typeName, tags.standard(tags.name)], color: '#8ecbff' },
  { tag: tags.comment, color: '#ffb86b' },
]);

function colorsOf(scheme: 'light' | 'dark'): Extension {
  return scheme === 'dark'
    ? [EditorView.darkTheme.of(true), syntaxHighlighting(ON_DARK)]
    : syntaxHighlighting(defaultHighlightStyle);
}

function languageWith(tables: Tables | undefined): Extension {
  const known = { dialect: PostgreSQL, upperCaseKeywords: true };
  if (tables === undefined) return sql(known);
  const defaultSchema = defaultSchemaOf(tables);
  return [
    sql({
      ...known,
      schema: namespaceOf(tables),
      ...(defaultSchema === undefined ? {} : { defaultSchema }),
    }),
    PostgreSQL.language.data.of({ autocomplete: columnsInText(tables) }),
  ];
}

interface Props {
  /** The text at first. Later it belongs to the editor. */
  readonly initial: string;
  readonly onChange: (text: string) => void;
  /** Ctrl-Enter, or Cmd-Enter. */
  readonly onRun: () => void;
  /** Whose tables are completed; undefined for none. */
  readonly connection: string | undefined;
}

/** An editor for SQL of PostgreSQL. Tab leaves it, as every field. Tables are asked for when somebody comes into it. */
export default function SqlEditor({ initial, onChange, onRun, connection }: Props) {
  const place = useRef<HTMLDivElement>(null);
  const editor = useRef<EditorView>(null);
  const scheme = useComputedColorScheme('light');
  const [isUsed, setIsUsed] = useState(false);
  const tables = useTables(isUsed ? connection : undefined);
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
          EditorView.lineWrapping,
          drawSelection(),
          history(),
          bracketMatching(),
          closeBrackets(),
          // Fonts lack some of the icons.
          autocompletion({ icons: false }),
          colors.of(colorsOf('light')),
          language.of(languageWith(undefined)),
          EditorView.domEventHandlers({ beforeinput: typeOver, focus: () => setIsUsed(true), blur: leave }),
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
            '.cm-tooltip.cm-tooltip-autocomplete': {
              border: '1px solid var(--mantine-color-default-border)',
              backgroundColor: 'var(--mantine-color-body)',
              color: 'var(--mantine-color-text)',
            },
            '.cm-tooltip-autocomplete ul li[aria-selected]': {
              backgroundColor: 'var(--mantine-primary-color-filled)',
              color: 'var(--mantine-primary-color-contrast)',
            },
          }),
        ],
      }),
    });
    editor.current = view;
    return () => view.destroy();
  }, []);
  useEffect(() => {
    editor.current?.dispatch({ effects: language.reconfigure(languageWith(tables)) });
  }, [tables]);
  useEffect(() => {
    editor.current?.dispatch({ effects: colors.reconfigure(colorsOf(scheme)) });
  }, [scheme]);
  return (
    <div>
      <Text size="sm" fw={500} aria-hidden>
        {texts.run.script}
      </Text>
      <div ref={place} data-editor />
    </div>
  );
}

/** A list that was asked for just before must not open over what the person does elsewhere. */
function leave(_event: FocusEvent, view: EditorView): void {
  closeCompletion(view);
}

/**
 * What is typed over a selection. Browsers keep the style of what they delete, with a style attribute, which the policy of the page refuses and
 * reports: so the editor replaces it by itself.
 */
function typeOver(event: InputEvent, view: EditorView): boolean {
  const { data } = event;
  const selected = selectionOf(view);
  const { from, to, empty } = selected;
  if (event.inputType !== 'insertText' || data === null || empty || view.composing || !event.cancelable)
    return false;
  event.preventDefault();
  if (!selected.eq(view.state.selection.main)) view.dispatch({ selection: selected });
  const insert = (): Transaction =>
    view.state.update(view.state.replaceSelection(data), { userEvent: 'input.type', scrollIntoView: true });
  const handlers = view.state.facet(EditorView.inputHandler);
  if (!handlers.some((handle) => handle(view, from, to, data, insert))) view.dispatch(insert());
  return true;
}

/** What is selected on the page: a key may come before the editor has heard of it. */
function selectionOf(view: EditorView): SelectionRange {
  const { anchorNode, anchorOffset, focusNode, focusOffset } = document.getSelection() ?? {};
  const isInside = (node: Node | null | undefined): node is Node =>
    node !== null && node !== undefined && view.contentDOM.contains(node);
  if (!isInside(anchorNode) || !isInside(focusNode)) return view.state.selection.main;
  return EditorSelection.range(
    view.posAtDOM(anchorNode, anchorOffset),
    view.posAtDOM(focusNode, focusOffset),
  );
}
