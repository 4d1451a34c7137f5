import { describeJourneys } from '../../support/portal/journeys';
import { expectSoon } from '../../support/portal/expect-soon';
import { parts } from '../../support/portal/parts';
import { startGateway } from '../../support/gateway';
import { freshEd25519 } from '../../support/ssh/public-keys';

const { answer, button, field, row } = parts;

async function startPath() {
  const gateway = await startGateway();
  return { gateway, close: () => gateway.close() };
}

// promises: SSHKEY-1
describeJourneys('public keys for SSH', startPath, ({ path, journey }) => {
  journey('a key is registered, seen by an admin, and removed', async ({ open, unique }) => {
    const name = unique('laptop');
    const { privateKey, line } = freshEd25519();
    const alice = await open('alice', '/ssh-keys');
    await alice.fill(field(alice, 'Name'), name);
    await alice.fill(field(alice, 'Public key'), privateKey);
    await alice.sees('This is a private key. It is not sent');
    expect(await button(alice, 'Register a key').isDisabled()).toBe(true);
    await alice.fill(field(alice, 'Public key'), line);
    await alice.press(button(alice, 'Register a key'));
    await row(alice, name).getByText('SHA256:').waitFor();
    await expectSoon(() => field(alice, 'Public key').inputValue(), '');

    const auditor = await open('auditor', '/ssh-keys?user=alice');
    await row(auditor, name).waitFor();
    expect(await button(auditor, `Remove: ${name}`).count()).toBe(0);
    const admin = await open('admin', '/ssh-keys?user=alice');
    await admin.press(button(admin, `Remove: ${name}`));
    await admin.press(answer(admin, 'Remove'));
    await row(admin, name).waitFor({ state: 'hidden' });
    const { body } = await path.gateway.call('alice', 'GET', '/ssh-public-keys');
    expect((body.data as { name: string }[]).map((key) => key.name)).not.toContain(name);
  });
});
