import { type ClientAdmission, ClientLimits } from './client-limits';
import { LocalCounts } from './counts';

/** Client limits that count in memory, and therefore answer without a promise. */
function limits(): { enter: (...who: [string, string]) => ClientAdmission } {
  const counted = new ClientLimits({ all: 4, perUser: 2, perConnection: 3 }, new LocalCounts(), 'test');
  return { enter: (...who) => counted.enter(...who) as ClientAdmission };
}

function leave(admission: ClientAdmission): void {
  if (admission.kind !== 'place') throw new Error(admission.message);
  admission.leave();
}

describe('ClientLimits', () => {
  it('counts each user, and releases a place once, also if it is left several times', () => {
    const clients = limits();
    const first = clients.enter('alice', 'a');
    expect(clients.enter('alice', 'b').kind).toBe('place');
    expect(clients.enter('alice', 'c')).toEqual({
      kind: 'full',
      message: 'You already have 2 connections through this gateway, which is the limit. Close one of them.',
      isOfUser: true,
    });
    leave(first);
    leave(first);
    expect(clients.enter('alice', 'c').kind).toBe('place');
    expect(clients.enter('alice', 'd').kind).toBe('full');
  });

  it('counts each connection', () => {
    const clients = limits();
    for (const user of ['alice', 'bob', 'carol']) expect(clients.enter(user, 'a').kind).toBe('place');
    expect(clients.enter('dave', 'a')).toMatchObject({
      kind: 'full',
      message: expect.stringMatching(/This connection/),
    });
    expect(clients.enter('dave', 'b').kind).toBe('place');
  });

  it('counts all', () => {
    const clients = limits();
    for (const user of ['1', '2', '3', '4']) expect(clients.enter(user, user).kind).toBe('place');
    expect(clients.enter('5', '5')).toMatchObject({
      kind: 'full',
      message: expect.stringMatching(/The gateway/),
    });
  });
});
