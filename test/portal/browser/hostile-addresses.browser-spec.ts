import type { Browser } from 'playwright-core';
import { describeInBrowser, startChromium } from '../../support/chromium';
import { type DataPath, startDataPath } from '../../support/data-path';
import { expectSoon } from '../../support/portal/expect-soon';
import { HostileFields, valuesOf } from '../../support/portal/hostile-fields';
import { type Proof, startProof } from '../../support/portal/hostile-proof';
import { HOSTILE_TEXTS } from '../../support/portal/hostile-texts';

/** Findings of the watcher, which looks for strings that a screen shows wrongly. */
interface Noticed {
  /** Number of strings that the test showed. */
  readonly strings: number;
  /** Strings that were shown wrongly, but that the watcher did not report. */
  readonly missed: readonly string[];
  readonly faults: readonly string[];
}

/**
 * Shows strings as a careless screen would. `careless` is the source code of a function that runs in the page
 * and puts a string into an element.
 */
async function show({ page, watched }: Proof, texts: readonly string[], careless: string): Promise<Noticed> {
  const missed: string[] = [];
  const faults = new Set<string>();
  for (const text of texts) {
    watched.faults.clear();
    await page.evaluate(
      `((element, text) => {
        element.id = 'planted';
        document.querySelector('main').append(element);
        (${careless})(element, text);
      })(document.createElement('p'), ${JSON.stringify(`${text}~zz`)})`,
    );
    await watched.look();
    const isText = watched.unseen('zz', [`${text}~zz`]).length === 0;
    if (watched.faults.size === 0 && isText) missed.push(text);
    for (const fault of watched.faults) faults.add(fault);
    await page.evaluate(`document.getElementById('planted')?.remove()`);
  }
  watched.faults.clear();
  return { strings: texts.length, missed, faults: [...faults] };
}

describeInBrowser('texts of strangers', () => {
  let browser: Browser;
  let path: DataPath;

  beforeAll(async () => {
    [browser, path] = await Promise.all([startChromium(), startDataPath()]);
  });
  afterAll(async () => {
    await browser.close();
    await path.close();
  });

  /** Opens a page of the portal. Its requests to other hosts are aborted. */
  async function startPlanting(options: { bypassCSP?: boolean } = {}): Promise<Proof> {
    const proof = await startProof(browser, path.gateway, 'admin', options);
    const { host } = new URL(path.gateway.api);
    await proof.page.route(
      (url) => url.host !== host,
      (route) => route.abort('aborted'),
    );
    return proof;
  }

  it('are noticed where a screen shows them as HTML: the proof can fail', async () => {
    const proof = await startPlanting();
    const asHtml = '(element, text) => { element.innerHTML = text; }';
    const parsed = await proof.page.evaluate<string[]>(
      `${JSON.stringify(HOSTILE_TEXTS)}.filter((text) => {
        const { body } = new DOMParser().parseFromString('<p>' + text, 'text/html');
        return body.querySelector('p > *') !== null;
      })`,
    );
    const { strings, missed, faults } = await show(proof, parsed, asHtml);
    await proof.close();
    expect(missed).toEqual([]);
    expect(faults.filter((fault) => fault.includes('a script ran'))).toEqual([]);
    for (const kind of [
      'HOSTILE: refused script-src',
      'an element: ',
      'a handler: ',
      'a link: ',
      'a request outside: ',
    ])
      expect([kind, faults.some((fault) => fault.includes(kind))]).toEqual([kind, true]);

    const careless = await startPlanting({ bypassCSP: true });
    const ran = await show(careless, parsed.slice(0, 150), asHtml);
    await careless.close();
    expect(ran.faults).toContain('HOSTILE: a script ran');
    process.stdout.write(
      `planted as HTML: ${strings} strings, ${missed.length} missed; without the policy a script ran, and was heard\n`,
    );
  });

  it('are noticed where a screen makes links of them, or shows hidden characters as they are', async () => {
    const proof = await startPlanting();
    const isForeign = (text: string): boolean =>
      URL.canParse(text, path.gateway.api) &&
      new URL(text, path.gateway.api).host !== new URL(path.gateway.api).host;
    const foreign = HOSTILE_TEXTS.filter(isForeign);
    expect(foreign.length).toBeGreaterThan(20);
    const links = await show(
      proof,
      foreign,
      `(element, text) => { element.append(Object.assign(document.createElement('a'), { href: text, textContent: text })); }`,
    );
    const inPlayer = await show(
      proof,
      ['#x'],
      `(element, text) => {
        element.className = 'ap-player';
        element.append(Object.assign(document.createElement('a'), { href: text, textContent: text }));
      }`,
    );
    const hidden = HOSTILE_TEXTS.filter((text) => /^pay.load/su.test(text));
    expect(hidden.length).toBeGreaterThan(50);
    const characters = await show(proof, hidden, '(element, text) => { element.textContent = text; }');
    await proof.close();
    expect([links.missed, characters.missed]).toEqual([[], []]);
    expect(inPlayer.faults.join()).toContain('an element: <a ');
  });

  // promises: PORTAL-7
  it('are text where addresses bring them', async () => {
    const brought = new HostileFields();
    const titles = valuesOf(brought.add('ti', 'names in addresses'), 1_500);
    // The page's address may contain an error code. A sentence in the code must not look like the gateway's
    // own.
    const refusals = valuesOf(new HostileFields().add('we', 'refusals of the sign-in in addresses'), 1_500);
    const proof = await startProof(browser, path.gateway, 'admin');
    for (const title of titles) await proof.tour.pass(`/connections/${encodeURIComponent(title)}`);
    for (const screen of [
      '/users/',
      '/guardrails/',
      '/access-rules/',
      '/sessions/',
      '/reviews/',
      '/webhooks/',
    ])
      await proof.tour.pass(`${screen}${encodeURIComponent(titles[0] ?? '')}`);
    for (const field of ['user', 'connection'])
      await proof.tour.pass(`/why?connection=orders&${field}=${encodeURIComponent(titles[1] ?? '')}`);
    for (const refusal of refusals) {
      await proof.open(`/signed-in?error=${encodeURIComponent(refusal)}`);
      await proof.page
        .getByText('The sign-in did not succeed: no reason was given.', { exact: true })
        .waitFor();
    }
    await proof.close();
    proof.expectAll(brought);
  });

  it('keep their characters in the fields in which they are changed', async () => {
    const description = 'a\u202Eb\u200Bc';
    await path.connect('kept-as-typed', { description });
    const proof = await startProof(browser, path.gateway, 'admin');
    await proof.tour.pass('/admin-connections/kept-as-typed');
    await expectSoon(
      () => proof.page.getByRole('textbox', { name: 'Description' }).inputValue(),
      description,
    );
    await proof.close();
  });
});
