import dns from 'node:dns/promises';
import { setImmediate as soon } from 'node:timers/promises';
import { checkedAddresses, checkedRequestOptions } from './checked-address';

type Found = Awaited<ReturnType<typeof dns.lookup>>[];

const PUBLIC = [
  { address: '2606:4700::1111', family: 6 },
  { address: '8.8.8.8', family: 4 },
];

/** Tests look-ups of host names, with name servers that answer when the test lets them. */
describe('name look-ups', () => {
  let asked: string[];
  let answers: ((found: Found | Error) => void)[];

  beforeEach(() => {
    [asked, answers] = [[], []];
    jest.spyOn(dns, 'lookup').mockImplementation(((host: string) => {
      asked.push(host);
      return new Promise((resolve, reject) =>
        answers.push((found) => (found instanceof Error ? reject(found) : resolve(found))),
      );
    }) as typeof dns.lookup);
  });

  afterEach(() => jest.restoreAllMocks());

  it('are two at once, so that silent name servers leave threads to the journal', async () => {
    const all = ['a', 'b', 'c', 'd'].map((host) => checkedAddresses(`${host}.example.com`, []));
    await soon();
    expect(asked).toEqual(['a.example.com', 'b.example.com']);
    for (let n = 0; n < 4; n++) {
      answers[n]?.(PUBLIC);
      await soon();
    }
    expect(asked).toHaveLength(4);
    for (const addresses of await Promise.all(all)) expect(addresses).toEqual(PUBLIC);
  });

  it('are one for all who ask for a name at the same time, and are judged for each by itself', async () => {
    const allowed = checkedAddresses('a.example.com', ['a.example.com']);
    const refused = checkedAddresses('a.example.com', []);
    await soon();
    answers[0]?.([{ address: '10.1.2.3', family: 4 }] as Found);
    expect(await allowed).toEqual([{ address: '10.1.2.3', family: 4 }]);
    await expect(refused).rejects.toThrow('the address of its host is private');
    expect(asked).toHaveLength(1);
  });

  it('are made anew once they are over, also after one that failed', async () => {
    for (const answer of [new Error('no such name'), PUBLIC as Found]) {
      const addresses = checkedAddresses('a.example.com', []);
      await soon();
      answers.at(-1)?.(answer);
      if (answer instanceof Error) await expect(addresses).rejects.toThrow('no such name');
      else expect(await addresses).toEqual(PUBLIC);
    }
    expect(asked).toHaveLength(2);
  });

  it('give a connection all the addresses that were checked, and no other', async () => {
    const asking = checkedRequestOptions('a.example.com', []);
    await soon();
    answers[0]?.(PUBLIC);
    const { lookup } = await asking;
    const given: unknown[] = [];
    lookup('elsewhere.example.com', { all: true }, (...args) => given.push(args));
    lookup('elsewhere.example.com', { all: false }, (...args) => given.push(args));
    expect(given).toEqual([
      [null, PUBLIC],
      [null, '2606:4700::1111', 6],
    ]);
    expect(asked).toEqual(['a.example.com']);
  });
});
