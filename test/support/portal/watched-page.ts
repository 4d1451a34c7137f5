import type { BrowserContext, Page } from 'playwright-core';

/**
 * Writes to the console when a test string ran as a script, and when the Content Security Policy blocked
 * something.
 */
const TRAP = `(() => {
  Object.defineProperty(window, '__ran', { set: () => console.error('HOSTILE: a script ran') });
  addEventListener(
    'securitypolicyviolation',
    ({ violatedDirective, blockedURI }) => console.error('HOSTILE: refused', violatedDirective, blockedURI),
    true,
  );
})()`;

/** Names of the elements that the portal itself creates. */
const ELEMENTS = `html head meta title link style script noscript body div span p a button h1 h2 h3 h4 h5 h6 nav header main section
  article form fieldset legend label input textarea select option ul ol li table caption thead tbody tr th td pre code mark bdi time ins del
  kbd svg path g circle line rect polygon br`;

/** Further elements that the player of recordings may contain. Links (`a`) are not allowed in the player. */
const OF_PLAYER = 'canvas symbol defs use mask polyline';

/**
 * JavaScript that returns the texts of the page, and its faults. Converts `mark` elements such as `U+200B` to
 * characters again. Joins the texts of one `bdi`, and the parts of a long text; all other texts are separate.
 * Text areas and the player may contain any character, so only their elements are checked for faults.
 */
const INSPECT = `(() => {
  const elements = new Set(${JSON.stringify(ELEMENTS)}.split(/\\s+/));
  const ofPlayer = new Set([...elements, ...'${OF_PLAYER}'.split(' ')].filter((name) => name !== 'a'));
  const hidden = /[\\u0000-\\u0008\\u000b-\\u001f\\u007f-\\u009f\\u00ad\\u034f\\u061c\\u115f\\u180e\\u200b\\u200c\\u200e\\u200f\\u2028-\\u202e\\u2060-\\u206f\\u2800\\u3164\\ufe00\\ufeff\\uffa0\\ufff9-\\ufffb\\u{e0001}\\u{e0101}\\u{1d173}]|(?<![\\u{1f3f4}\\u{e0020}-\\u{e007e}])[\\u{e0020}-\\u{e007f}]|\\w\\u200d|\\w\\ufe0f/u;
  const faults = new Set();
  const said = [];
  let before;
  let partBefore = null;
  const walker = document.createTreeWalker(document.documentElement, NodeFilter.SHOW_TEXT);
  for (let node = walker.nextNode(); node !== null; node = walker.nextNode()) {
    const parent = node.parentElement;
    if (parent.closest('script, style, textarea, .ap-player') !== null) continue;
    if (hidden.test(node.data)) faults.add('hidden characters: ' + JSON.stringify(node.data.slice(0, 60)) + ' in ' + parent.outerHTML.slice(0, 60));
    const part = parent.closest('[data-part]');
    const group = part?.parentElement ?? parent.closest('bdi') ?? parent;
    const point = parent.localName === 'mark' ? /^U\\+([0-9A-F]{4,6})$/.exec(node.data) : null;
    const text = point === null ? node.data : String.fromCodePoint(parseInt(point[1], 16));
    const isNextLine = part !== partBefore && partBefore?.dataset.part === 'line';
    if (group === before) said[said.length - 1] += (isNextLine ? '\\n' : '') + text;
    else said.push(text);
    before = group;
    partBefore = part;
  }
  // Removes all blanks, because a terminal fills empty cells with blanks.
  for (const screen of document.querySelectorAll('.ap-term-text'))
    said.push([...screen.children].map(({ textContent }) => textContent).join('').replaceAll(/\\s/g, ''));
  for (const element of document.querySelectorAll('*')) {
    const name = element.localName;
    const known = element.closest('.ap-player') === null ? elements : ofPlayer;
    if (!known.has(name)) faults.add('an element: ' + element.outerHTML.slice(0, 80));
    for (const { name: attribute, value } of element.attributes) {
      const place = name + ' ' + attribute + '=' + value.slice(0, 80);
      if (attribute.startsWith('on')) faults.add('a handler: ' + place);
      else if (attribute === 'title' && hidden.test(value)) faults.add('a hint: ' + place);
      else if (attribute === 'href' || attribute === 'src' || attribute === 'action') {
        const { origin, protocol } = new URL(value, document.baseURI);
        if (origin !== location.origin || !protocol.startsWith('http')) faults.add('a link: ' + place);
      } else if (/__ran|evil\\.example/.test(value) && !['aria-label', 'title', 'value', 'placeholder'].includes(attribute))
        faults.add('an attribute: ' + place);
    }
  }
  if (document.scripts.length !== window.__scripts) {
    if (window.__scripts !== undefined && [...document.scripts].some(({ src }) => !src.startsWith(location.origin + '/assets/')))
      faults.add('a script: ' + [...document.scripts].map(({ outerHTML }) => outerHTML.slice(0, 80)).join());
    window.__scripts = document.scripts.length;
  }
  return { said, faults: [...faults] };
})()`;

const SCROLLED = '[role=log], [role=table][aria-rowcount]';

/**
 * Returns a script that scrolls an area whose page elements exist only for its visible part. The script
 * returns the size of the area after the scroll.
 */
const scroll = (index: number, top: number, left: number): string => `(async () => {
  const area = document.querySelectorAll('${SCROLLED}')[${index}];
  area?.scrollTo(${left}, ${top});
  for (let frame = 0; frame < 3; frame++) await new Promise((done) => requestAnimationFrame(done));
  const { scrollHeight = 0, scrollWidth = 0, clientHeight = 0, clientWidth = 0 } = area ?? {};
  return { height: scrollHeight, width: scrollWidth, down: Math.max(clientHeight, 100), right: Math.max(clientWidth, 100) };
})()`;

interface Area {
  readonly height: number;
  readonly width: number;
  /** Size of the visible part. */
  readonly down: number;
  readonly right: number;
}

interface Inspected {
  readonly said: readonly string[];
  readonly faults: readonly string[];
}

/**
 * A page of the portal that shows untrusted texts. It detects scripts that ran, policy violations and
 * forbidden requests, and finds elements that were made from texts.
 */
export class WatchedPage {
  /** Faults: events and elements that should not exist. */
  readonly faults = new Set<string>();
  /** Number of inspections of the page. */
  looks = 0;
  private readonly said = new Map<string, Set<string>>();

  private constructor(readonly page: Page) {}

  /** @param origins origins to which pages may send requests: the portal, and the identity provider */
  static async of(context: BrowserContext, origins: readonly string[]): Promise<WatchedPage> {
    await context.addInitScript(TRAP);
    const watched = new WatchedPage(await context.newPage());
    const { faults, page } = watched;
    page.on('dialog', (dialog) => {
      faults.add(`a dialog: ${dialog.message()}`);
      void dialog.dismiss();
    });
    page.on('pageerror', (error) => faults.add(`a script failed: ${error.message}`));
    page.on('console', (message) => {
      if (/HOSTILE|Content Security Policy/.test(message.text())) faults.add(message.text());
    });
    context.on('page', (other) => {
      if (other !== page) faults.add(`a window: ${other.url()}`);
    });
    context.on('request', (request) => {
      const url = new URL(request.url());
      const isImage = /^(image|media|font|object|ping)$/.test(request.resourceType());
      if (!origins.includes(url.origin) && !/^(data|blob):$/.test(url.protocol))
        faults.add(`a request outside: ${request.url()}`);
      else if (isImage && url.protocol.startsWith('http') && !/^\/(favicon|icon|assets\/)/.test(url.pathname))
        faults.add(`a request for an ${request.resourceType()}: ${request.url()}`);
    });
    return watched;
  }

  /** Inspects the page as it is, and each part of its scroll areas. */
  async look(): Promise<void> {
    await this.inspect();
    const areas = await this.page.locator(SCROLLED).count();
    for (let index = 0; index < areas; index++) {
      // Parts get their real height only when they become visible, so scrolling changes the area's height.
      let area: Area = { height: 0, width: 0, down: 0, right: 0 };
      for (let top = 0; top === 0 || top < area.height - 1; top += area.down)
        for (let left = 0; left === 0 || left < area.width - 1; left += area.right) {
          area = await this.page.evaluate<Area>(scroll(index, top, left));
          await this.inspect();
        }
    }
  }

  /**
   * Returns the strings of a field that no inspected page showed exactly as text. Each string ends with `~`
   * (`~0` in JSON pointers) and the name of its field.
   */
  unseen(field: string, texts: readonly string[]): readonly string[] {
    const said = [...(this.said.get(field) ?? [])].join('\uE000');
    return texts.filter((text) => !said.includes(text));
  }

  private async inspect(): Promise<void> {
    const { said, faults } = await this.page.evaluate<Inspected>(INSPECT);
    this.looks++;
    for (const fault of faults) this.faults.add(`${new URL(this.page.url()).pathname}: ${fault}`);
    for (const text of said)
      for (const field of new Set(Array.from(text.matchAll(/~0?([a-z]{2})/g), ([, name]) => name ?? ''))) {
        const seen = this.said.get(field);
        if (seen === undefined) this.said.set(field, new Set([text]));
        else seen.add(text);
      }
  }
}
