import { autocompletion, closeBrackets, closeCompletion, completionKeymap } from '@codemirror/autocomplete';
import { defaultKeymap, history, historyKeymap } from '@codemirror/commands';
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
import { Button, FileButton, Group, Text, useComputedColorScheme } from '@mantine/core';
import { useEffect, useEffectEvent, useRef, useState } from 'react';
import { ChangeFault } from '../parts/change';
import { meta } from '../shell/meta';
import { texts } from '../texts';
import { EditorLanguage } from './editor-language';
import { type Script, readScript } from './script';
import { useTables } from './tables';

const colors = new Compartment();
const labelled = new Compartment();

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

interface Props {
  /** The initial text. Later changes of this property have no effect. */
  readonly initial: string;
  readonly onChange: (script: Script) => void;
  /** Called for Ctrl-Enter or Cmd-Enter. */
  readonly onRun: () => void;
  /** Name of the text, by its language. */
  readonly label: string;
  /** Whether the text is read as SQL; otherwise it is plain text. */
  readonly isSql: boolean;
  /** Connection whose tables are completed; undefined for none. */
  readonly connection: string | undefined;
}

/**
 * Editor for PostgreSQL's SQL and for scripts of servers. The Tab key moves the focus to the next field. Tables for completion are
 * requested when the editor first gets the focus.
 */
export default function SqlEditor({ initial, onChange, onRun, label, isSql, connection }: Props) {
  const place = useRef<HTMLDivElement>(null);
  const editor = useRef<EditorView>(null);
  const scheme = useComputedColorScheme('light');
  const [isUsed, setIsUsed] = useState(false);
  const tables = useTables(isUsed ? connection : undefined);
  const changed = useEffectEvent(onChange);
  const run = useEffectEvent(onRun);
  const first = useRef(initial);
  const [language] = useState(() => new EditorLanguage());
  const [fault, setFault] = useState<unknown>();
  const again = useRef<() => void>(null);
  const open = async (file: File | null): Promise<void> => {
    if (file === null) return;
    // Without this reset, the browser reports no change when the same file is chosen again.
    again.current?.();
    try {
      const text = await readScript(file);
      const { current: view } = editor;
      setFault(undefined);
      view?.dispatch({
        changes: { from: 0, to: view.state.doc.length, insert: view.state.toText(text) },
        selection: { anchor: 0 },
        scrollIntoView: true,
      });
    } catch (refusal) {
      setFault(refusal instanceof Error ? refusal.message : refusal);
    }
  };
  const dropped = useEffectEvent(open);
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
          // No icons, because fonts lack some of them.
          autocompletion({ icons: false }),
          colors.of(colorsOf('light')),
          language.of(first.current.length),
          EditorView.domEventHandlers({
            beforeinput: typeOver,
            focus: () => setIsUsed(true),
            blur: leave,
            drop: ({ dataTransfer }) => {
              const [file] = dataTransfer?.files ?? [];
              if (file !== undefined) void dropped(file);
              return file !== undefined;
            },
          }),
          labelled.of([]),
          EditorView.updateListener.of(({ docChanged, state }) => {
            if (docChanged) changed(state.doc);
          }),
          EditorView.theme({
            '&': {
              minHeight: '10rem',
              maxHeight: '60vh',
              fontSize: '0.9rem',
              border: '1px solid var(--mantine-color-default-border)',
              borderRadius: 'var(--mantine-radius-default)',
            },
            '.cm-scroller': { overflow: 'auto' },
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
  }, [language]);
  useEffect(() => {
    const { current: view } = editor;
    view?.dispatch({ effects: language.learn({ isSql, tables }, view.state.doc.length) });
  }, [language, isSql, tables]);
  useEffect(() => {
    const named = EditorView.contentAttributes.of({ 'aria-label': label });
    editor.current?.dispatch({ effects: labelled.reconfigure(named) });
  }, [label]);
  useEffect(() => {
    editor.current?.dispatch({ effects: colors.reconfigure(colorsOf(scheme)) });
  }, [scheme]);
  return (
    <div>
      <Group justify="space-between" mb={4}>
        <Text size="sm" fw={500} aria-hidden>
          {label}
        </Text>
        <FileButton resetRef={again} onChange={(file) => void open(file)} accept=".sql,text/*">
          {(props) => (
            <Button size="compact-sm" variant="default" {...props}>
              {texts.run.open}
            </Button>
          )}
        </FileButton>
      </Group>
      <div ref={place} data-editor />
      <ChangeFault fault={fault} />
    </div>
  );
}

/** Closes the completion list when the editor loses the focus, so that it does not cover other fields. */
function leave(_event: FocusEvent, view: EditorView): void {
  closeCompletion(view);
}

/**
 * Replaces the selection by the typed text. A browser would keep the style of the deleted text in a style
 * attribute, which the content security policy of the page refuses and reports.
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

/** Returns the selection in the DOM, because the editor's own selection may be outdated at the next key. */
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
