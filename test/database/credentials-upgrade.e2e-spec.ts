import { migrate } from '../../src/platform/database/schema/migrate';
import { ApprovedAccess1765200000000 } from '../../src/platform/database/migrations/1765200000000-approved-access';
import { describeDataPath } from '../support/describe';
import { approve, approvedConnection, listed } from '../support/approved-access';
import { find, issue, revoke } from '../support/credentials';
import { undoDownTo } from '../support/undo-migrations';

/** Credentials that the previous version issued stay valid until their expiry. */
describeDataPath('the migration to access that people approve', ({ path }) => {
  it('keeps credentials without an approval, up and down', async () => {
    const { gateway } = path;
    const [kept, ended] = [(await issue(gateway)).body, (await issue(gateway)).body];
    await revoke(gateway, 'alice', ended.id);
    const connection = await approvedConnection(path);
    const { id: approved } = (await issue(gateway, 'alice', {}, connection)).body;
    await approve(gateway, approved);
    await undoDownTo(gateway.database, ApprovedAccess1765200000000);
    await migrate(gateway.database.url);
    expect(await find(gateway, kept.id)).toMatchObject({ id: kept.id, expiresAt: new Date(kept.expire_at) });
    expect(await listed(gateway, 'alice', kept.id)).toMatchObject({
      status: 'active',
      has_review: false,
      expire_at: kept.expire_at,
    });
    expect(await listed(gateway, 'alice', ended.id)).toMatchObject({ status: 'revoked' });
    expect(await find(gateway, ended.id)).toBeUndefined();
    // The previous version had no approvals of access, so access is requested again.
    const anew = await issue(gateway, 'alice', {}, connection);
    expect([anew.status, anew.body.id === approved]).toEqual([202, false]);
    expect((await revoke(gateway, 'alice', kept.id)).status).toBe(204);
    expect(await find(gateway, kept.id)).toBeUndefined();
  });
});
