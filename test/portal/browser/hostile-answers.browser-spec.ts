import type { Browser } from 'playwright-core';
import { describeInBrowser, startChromium } from '../../support/chromium';
import { type DataPath, startDataPath } from '../../support/data-path';
import { eventually } from '../../support/eventually';
import { createRule } from '../../support/guardrails';
import { HostileFields, forEach, valuesOf } from '../../support/portal/hostile-fields';
import { startProof } from '../../support/portal/hostile-proof';
import { HOSTILE_TEXTS } from '../../support/portal/hostile-texts';
import { IMPATIENT, WebhookReceiver, subscribe } from '../../support/webhook-receiver';

/** Number of characters that the gateway keeps of the body of an answer. */
const BODY = 200;
/** Number of characters of a resource's id that an audit line stores. */
const ID = 250;

/** Returns all hostile strings, marked with the field in which they are sent. */
const textsOf = (field: string): string[] => HOSTILE_TEXTS.map((text) => `${text}~${field}`);
/** Replaces controls and runs of blanks by one space, as the gateway does in answers that it stores. */
const inOneLine = (text: string): string => text.replaceAll(/[\p{C}\p{Z}]+/gu, ' ').trim();
/** Replaces all line ends by LF, as a field of several lines does. */
const inField = (text: string): string => text.replaceAll(/\r\n?/g, '\n');

describeInBrowser('texts of other parties', () => {
  let browser: Browser;
  let path: DataPath;
  let receiver: WebhookReceiver;

  beforeAll(async () => {
    [browser, path, receiver] = await Promise.all([
      startChromium(),
      startDataPath(IMPATIENT),
      WebhookReceiver.start(),
    ]);
  });
  afterAll(async () => {
    await browser.close();
    await path.close();
    await receiver.close();
  });

  // promises: PORTAL-7
  it('are text where webhooks answered, and in the audit log', async () => {
    const { gateway } = path;
    const fields = new HostileFields();
    fields.add('wb', 'bodies of answers to webhooks', { as: inOneLine });
    const bodies = valuesOf(textsOf('wb'), BODY);
    const ids = valuesOf(fields.add('ai', 'ids in refused requests'), ID);
    // The gateway keeps neither the headers nor the status text that contain this string.
    const sent = '<img src=x onerror=__ran=1>~hs';
    receiver.answering = (message, response) => {
      const at = receiver.received.findIndex(
        ({ headers }) => headers['webhook-id'] === message.headers['webhook-id'],
      );
      const turn =
        new Set(receiver.received.slice(0, at + 1).map(({ headers }) => headers['webhook-id'])).size - 1;
      response.writeHead(500 + (turn % 5), sent, {
        'x-said': sent,
        'set-cookie': sent,
        location: '//evil.example',
      });
      response.end(bodies[turn % bodies.length]);
    };
    const { id: webhook } = await subscribe(gateway, receiver.url, ['session.ended']);
    await forEach(bodies, () => gateway.call('admin', 'POST', `/webhooks/${webhook}/test`));
    await forEach(ids, (id) =>
      gateway.call('alice', 'DELETE', `/groups/${encodeURIComponent(id)}`, undefined, {
        'user-agent': sent,
        'x-request-id': sent,
        'x-forwarded-for': sent,
      }),
    );
    await eventually('each delivery was tried', async () => {
      const { body } = await gateway.call('admin', 'GET', `/webhooks/${webhook}/deliveries?page_size=1000`);
      const deliveries = body.data as { last_error: string | null }[];
      return (
        deliveries.length === bodies.length && deliveries.every(({ last_error: error }) => error !== null)
      );
    });
    const proof = await startProof(browser, gateway, 'admin');
    await proof.tour.pass(`/webhooks/${webhook}?part=deliveries`);
    await proof.tour.visit('/audit?resource_type=groups');
    await proof.close();
    proof.expectAll(fields);
    expect(proof.watched.unseen('hs', [sent])).toEqual([sent]);
  }, 120_000);

  // promises: PORTAL-7
  it('are text where a guardrail is tried', async () => {
    const fields = new HostileFields();
    fields.add('dm', 'matches of a dry run', { as: inField });
    fields.add('dt', 'texts of a dry run', { as: inField });
    const matched = valuesOf(textsOf('dm'), ID).map((text) => `«${text}»`);
    const id = await createRule(path.gateway, {
      name: 'tried',
      output: { rules: [{ type: 'pattern_match', words: [], pattern_regex: '«[^»]*»' }] },
    });
    const proof = await startProof(browser, path.gateway, 'admin');
    const { page, tour } = proof;
    await tour.pass(`/guardrails/${id}`);
    await page.getByLabel('Text to try', { exact: true }).fill([...matched, ...textsOf('dt')].join('\n'));
    await page.getByLabel('As', { exact: true }).selectOption('output');
    await page.getByRole('button', { name: 'Try', exact: true }).click();
    await tour.seen();
    await proof.close();
    proof.expectAll(fields);
  }, 120_000);
});
