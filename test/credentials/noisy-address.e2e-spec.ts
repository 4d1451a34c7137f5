import { Client } from 'pg';
import { describeDataPath } from '../support/describe';
import { issue } from '../support/credentials';

const LIMIT = 3;

const SETTINGS = { environment: { FAILED_CREDENTIALS_PER_MINUTE: String(LIMIT) } };

/** PostgreSQL clients that share an IP address with an attacker who guesses passwords. */
describeDataPath('an address from which many credentials were bad', SETTINGS, ({ path }) => {
  /** Returns the SQLSTATE with which the client is refused; undefined if it is admitted. */
  const refusalOf = async (connectionString: string): Promise<string | undefined> => {
    const client = new Client({ connectionString });
    client.on('error', () => undefined);
    try {
      await client.connect();
      await client.query('SELECT 1');
      return undefined;
    } catch (error) {
      return (error as { code?: string }).code;
    } finally {
      await client.end().catch(() => undefined);
    }
  };

  const credential = async (person: 'alice' | 'bob'): Promise<URL> => {
    const { body } = await issue(path.gateway, person);
    return new URL(body.connection_credentials.connection_string as string);
  };

  it('gets an error, while good credentials are accepted and guesses of a name are limited', async () => {
    const [guessed, good] = [await credential('bob'), await credential('alice')];
    const right = guessed.href;
    guessed.password = 'a-guess';
    const refusals: (string | undefined)[] = [];
    for (let i = 0; i < LIMIT + 2; i++) refusals.push(await refusalOf(guessed.href));
    expect(refusals).toEqual([...Array<string>(LIMIT).fill('28P01'), '53300', '53300']);
    expect(await refusalOf(good.href)).toBeUndefined();
    // For a while, no password for the guessed name is checked from this address, which limits guessing.
    expect(await refusalOf(right)).toBe('53300');
  });
});
