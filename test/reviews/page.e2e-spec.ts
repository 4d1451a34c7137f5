import { Browser } from '../support/browser-sign-in';
import type { Person } from '../support/gateway';
import { captureLog } from '../support/log';
import { beginMcpPath } from '../support/mcp/mcp-path';
import { RawClient } from '../support/mcp/raw-client';
import { startMcpServer } from '../support/mcp/start-mcp-server';
import { openReviewPage, pressOn, reloaded } from '../support/review-page';
import { scoped } from '../support/scoped';
import { ruleForScripts } from '../support/waiting-scripts';

const EVIL = '</dd><script>alert(1)</script>" onload="x\u202egnp.exe\u200b';

describe(
  'the page of a review',
  scoped((begin) => {
    const path = beginMcpPath(begin);
    const server = begin(() => startMcpServer('modern'));
    const at = begin(
      async () => {
        const name = await path.connection(server.url);
        await ruleForScripts(path.gateway, name);
        return { name };
      },
      () => undefined,
    );
    let calls = 0;
    const ask = async (text = `delete ${++calls}`, who: Person = 'alice'): Promise<string> => {
      const { message } = await new RawClient(path, at.name, who).call('echo', { text });
      return /review ([0-9a-f-]{36})/.exec(message.result.content[0].text)?.[1] ?? '';
    };
    const state = async (id: string) =>
      (await path.gateway.call('admin', 'GET', `/reviews/${id}`)).body as {
        status: string;
        rejection_reason: string | null;
        call: { fingerprint: string };
      };

    // promises: REVIEWPAGE-1
    it('shows the call to who may decide, and takes an approval, by which it runs once', async () => {
      const id = await ask('delete me');
      const page = await openReviewPage(path.gateway, id, 'bob');
      expect(page.response.status).toBe(200);
      for (const text of ['echo', at.name, '{&quot;text&quot;:&quot;delete me&quot;}', 'alice', 'dba'])
        expect(page.html).toContain(text);
      expect(page.html).toContain((await state(id)).call.fingerprint);
      const answer = await pressOn(page, 'approve');
      expect([answer.status, answer.headers.get('location')]).toEqual([303, id]);
      expect((await state(id)).status).toBe('APPROVED');
      const after = await reloaded(page);
      expect(after.html).not.toContain('<form');
      const { message } = await new RawClient(path, at.name).call('echo', { text: 'delete me' });
      expect(message.result.content[0].text).toBe('delete me');
      const log = await path.gateway.call('admin', 'GET', '/audit/logs?resource_type=reviews&page_size=100');
      expect(log.body.data).toContainEqual(
        expect.objectContaining({
          resource_id: id,
          actor: expect.objectContaining({ id: 'bob' }),
          action: 'update',
          outcome: 'success',
        }),
      );
    });

    // promises: REVIEWPAGE-1
    it('takes a rejection with its reason', async () => {
      const id = await ask();
      const page = await openReviewPage(path.gateway, id, 'bob');
      expect((await pressOn(page, 'reject', { reason: ' not\r\ntoday ' })).status).toBe(303);
      expect(await state(id)).toMatchObject({ status: 'REJECTED', rejection_reason: 'not today' });
      // The form is sent again after the decision, as if another reviewer had been faster.
      const late = await pressOn(page, 'approve');
      expect([late.status, (await late.text()).includes('was rejected')]).toEqual([409, true]);
    });

    // promises: REVIEWPAGE-2
    it('shows the requester for whom it waits, and lets nobody decide by it who may not by the API', async () => {
      const id = await ask();
      const own = await openReviewPage(path.gateway, id, 'alice');
      expect(own.html).toContain('waits for dba');
      expect(own.html).not.toContain('<form');
      const auditor = await openReviewPage(path.gateway, id, 'auditor');
      expect(auditor.html).not.toContain('<form');
      const bob = await openReviewPage(path.gateway, id, 'bob');
      // The proof (CSRF token) in a form is valid only in the browser that loaded the form.
      for (const page of [own, auditor]) {
        const forged = await pressOn({ ...page, html: bob.html }, 'approve');
        expect(forged.status).toBe(403);
      }
      const admin = await openReviewPage(path.gateway, id, 'admin');
      // An admin may reject, but may approve only as a member of a reviewer group.
      expect(admin.html).not.toContain('value="approve"');
      expect((await pressOn(admin, 'approve')).status).toBe(403);
      expect((await state(id)).status).toBe('PENDING');
    });

    // promises: REVIEWPAGE-2, REVIEW-5
    it('offers no approval to another account of the requester, known by the address of today', async () => {
      const id = await ask();
      const { database } = path.gateway;
      const before = await database.query<{ email: string }>(
        `SELECT email FROM users WHERE subject = 'alice'`,
      );
      await database.query(
        `UPDATE users SET email = (SELECT email FROM users WHERE subject = 'bob') WHERE subject = 'alice'`,
      );
      const page = await openReviewPage(path.gateway, id, 'bob');
      const approval = await pressOn(page, 'approve');
      await database.query(`UPDATE users SET email = $1 WHERE subject = 'alice'`, [before[0]?.email]);
      expect(approval.status).toBe(403);
      expect(page.html).not.toContain('value="approve"');
      expect(page.html).toContain('value="reject"');
      expect((await reloaded(page)).html).toContain('value="approve"');
    });

    // promises: REVIEWPAGE-2
    it('does not exist for people who may not see the review', async () => {
      const hidden = await openReviewPage(path.gateway, await ask('by bob', 'bob'), 'alice');
      const absent = await reloaded({
        browser: hidden.browser,
        url: new URL('7b0d7ad2-0e0e-4f0e-8c60-2f6d1d3b8c11', hidden.url),
      });
      expect([hidden.response.status, hidden.html]).toEqual([404, absent.html]);
      expect(absent.response.status).toBe(404);
    });

    // promises: REVIEWPAGE-3
    it('takes no form of another site, of another review, of another browser, or without its proof', async () => {
      const [id, other] = [await ask(), await ask()];
      const page = await openReviewPage(path.gateway, id, 'bob');
      const elsewhere = await reloaded({ ...page, url: new URL(other, page.url) });
      const refused = [
        await pressOn(page, 'approve', {}, { 'sec-fetch-site': 'cross-site' }),
        await pressOn(page, 'approve', {}, { 'sec-fetch-site': 'same-site' }),
        await pressOn(page, 'approve', {}, { origin: 'https://evil.example.com' }),
        await pressOn(page, 'approve', { proof: '' }),
        await pressOn({ ...page, html: elsewhere.html }, 'approve'),
        await pressOn({ ...page, browser: new Browser() }, 'approve'),
      ];
      expect(refused.map(({ status }) => status)).toEqual(refused.map(() => 403));
      const again = await openReviewPage(path.gateway, id, 'bob');
      expect((await pressOn({ ...again, html: page.html }, 'approve')).status).toBe(403);
      expect((await pressOn(again, 'neither')).status).toBe(400);
      expect((await pressOn(again, 'reject', { reason: 'x'.repeat(2_501) })).status).toBe(400);
      expect((await pressOn(again, 'reject', { reason: 'a\0b' })).status).toBe(400);
      expect((await state(id)).status).toBe('PENDING');
    });

    // promises: REVIEWPAGE-3
    it('is no credential of the API, and runs nothing that came from elsewhere', async () => {
      const id = await ask(EVIL);
      const page = await openReviewPage(path.gateway, id, 'bob');
      expect(page.html).not.toContain('<script');
      expect(page.html).not.toMatch(/[\u202e\u200b]/);
      expect(page.html).toContain('U+202E');
      const policy = page.response.headers.get('content-security-policy') ?? '';
      expect(policy).toMatch(
        /^default-src 'none'; style-src 'sha256-[^']+'; form-action 'self'; frame-ancestors 'none'/,
      );
      expect(page.response.headers.get('cache-control')).toBe('no-store');
      const api = await page.browser.request(new URL(`${path.gateway.api}/reviews/${id}`));
      expect(api.status).toBe(401);
      const deleted = await page.browser.request(page.url, { method: 'DELETE' });
      expect([deleted.status, deleted.headers.get('allow')]).toEqual([405, 'GET, POST']);
    });

    // promises: REVIEWPAGE-3
    it('says that a sign-in failed, and begins no other by itself', async () => {
      const browser = new Browser();
      const url = new URL(`${path.gateway.api}/pages/reviews/${await ask()}`);
      const begun = await browser.request(url);
      const callback = new URL(`${path.gateway.api}/callback`);
      const { searchParams } = new URL(begun.headers.get('location') ?? '');
      callback.searchParams.set('state', searchParams.get('state') ?? '');
      callback.searchParams.set('error', 'access_denied');
      const completed = await browser.request(callback);
      const back = await browser.request(new URL(completed.headers.get('location') ?? ''));
      expect([back.status, (await back.text()).includes('You are not signed in')]).toEqual([403, true]);
    });

    it('is for ids alone', async () => {
      for (const id of ['', '/x', '/../reviews', '/7b0d7ad2'])
        expect(
          (await new Browser().request(new URL(`${path.gateway.api}/pages/reviews${id}`))).status,
        ).not.toBe(303);
    });

    // promises: REVIEWPAGE-3
    it('leaves no cookie and no proof in the log', async () => {
      const log = captureLog();
      try {
        const id = await ask();
        const page = await openReviewPage(path.gateway, id, 'bob');
        await pressOn(page, 'reject', { reason: 'no' });
        const proof = /name="proof" value="([^"]*)"/.exec(page.html)?.[1] ?? 'none';
        expect(proof).not.toBe('none');
        expect(log.text()).not.toContain(proof);
        expect(log.text()).not.toMatch(/gateway_page=[^;]*ey/);
      } finally {
        log.restore();
      }
    });
  }),
);
