import { existsSync, readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import ts from 'typescript';
import { ROOT } from '../support/root';
import { nodesIn, portalSources } from '../support/portal/sources';

const LIBRARY = join(ROOT, 'node_modules/@mantine/core/lib/components');
const PROPERTIES = ['renderOption', 'renderPill'] as const;
const OPTIONS = 'parts/options.tsx';
const sources = portalSources();

/** Components of the library whose declarations have any of `PROPERTIES`, with the properties they have. */
const lists = new Map(
  readdirSync(LIBRARY).flatMap((name) => {
    const file = join(LIBRARY, name, `${name}.d.ts`);
    const text = existsSync(file) ? readFileSync(file, 'utf8') : '';
    const has = PROPERTIES.filter((property) => text.includes(`${property}?:`));
    return has.length === 0 ? [] : [[name, has] as const];
  }),
);

/** Properties that the portal's theme sets, by list component. */
const themed = new Map(
  sources
    .filter(({ fileName }) => fileName === OPTIONS)
    .flatMap((source) => [...nodesIn(source)])
    .filter(ts.isVariableDeclaration)
    .filter(({ name }) => name.getText() === 'saidOptions')
    .flatMap(({ initializer }) =>
      initializer !== undefined && ts.isObjectLiteralExpression(initializer) ? initializer.properties : [],
    )
    .map((list) => [
      list.name?.getText() ?? '',
      [...nodesIn(list)].filter(ts.isShorthandPropertyAssignment).map(({ name }) => name.text),
    ]),
);

interface Element {
  readonly place: string;
  readonly node: ts.JsxOpeningLikeElement;
}

/** All JSX elements in the source of the portal. */
const elements: readonly Element[] = sources.flatMap((source) =>
  [...nodesIn(source)]
    .filter((node) => ts.isJsxOpeningElement(node) || ts.isJsxSelfClosingElement(node))
    .map((node) => ({ place: `${source.fileName}: ${node.tagName.getText()}`, node })),
);

const attributesOf = ({ node }: Element): readonly string[] =>
  node.attributes.properties.map((one) => one.name?.getText() ?? '');

describe('options of lists', () => {
  it('show hidden characters in each list that the portal uses', () => {
    expect(lists.size).toBeGreaterThan(3);
    const used = new Set(elements.map(({ node }) => node.tagName.getText()));
    const usedLists = [...lists].filter(([name]) => used.has(name));
    expect(usedLists.length).toBeGreaterThan(3);
    expect(
      usedLists.filter(([name, has]) => has.some((property) => !themed.get(name)?.includes(property))),
    ).toEqual([]);
    const theme = sources.find(({ fileName }) => fileName === 'shell/theme.ts');
    expect(theme?.text).toContain('...saidOptions');
  });

  it('are drawn by no list in a way of its own', () => {
    const own = elements
      .filter(({ place }) => !place.startsWith(OPTIONS))
      .filter((element) => PROPERTIES.some((property) => attributesOf(element).includes(property)))
      .map(({ place }) => place);
    expect(own).toEqual([]);
    const plain = elements.filter(({ node }) =>
      /^(option|datalist|Combobox\b.*)$/.test(node.tagName.getText()),
    );
    expect(plain.map(({ place }) => place)).toEqual([]);
  });

  it('are said by those that are no part of the library, too', () => {
    const options = elements.filter(({ node }) =>
      node.attributes.properties.some((one) => one.getText() === 'role="option"'),
    );
    expect(options.length).toBeGreaterThan(0);
    expect(
      options.filter(({ node }) => !node.parent.getText().includes('<Said ')).map(({ place }) => place),
    ).toEqual([]);
  });
});
