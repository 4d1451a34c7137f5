import type { Client, QueryResult } from 'pg';

/** Returns the parts of a result that the server sent, without object ids of tables. */
export function told({ command, rowCount, rows, fields }: QueryResult) {
  return {
    command,
    rowCount,
    rows,
    fields: fields.map(({ name, dataTypeID, format }) => [name, dataTypeID, format]),
  };
}

/** Returns the fields of the query's error, without the position in the server's source code. */
export async function refusalOf(query: Promise<unknown>): Promise<Record<string, unknown>> {
  try {
    await query;
  } catch (error) {
    const { code, message, detail, hint, position, constraint, severity, where } = error as Record<
      string,
      unknown
    >;
    return { code, message, detail, hint, position, constraint, severity, where };
  }
  throw new Error('it did not fail');
}

interface CopyConnection {
  query(text: string): void;
  sendCopyFromChunk(chunk: Buffer): void;
  endCopyFrom(): void;
}

/** Runs a COPY on the client's connection, and sends its protocol messages itself. */
export function copy(
  client: Client,
  text: string,
  lines: readonly string[],
): Promise<{ tag: string; data: string }> {
  return new Promise((resolve, reject) => {
    let tag = '';
    const data: Buffer[] = [];
    client.query({
      submit: (connection: CopyConnection) => connection.query(text),
      handleCopyInResponse: (connection: CopyConnection) => {
        for (const line of lines) connection.sendCopyFromChunk(Buffer.from(line));
        connection.endCopyFrom();
      },
      handleCopyData: ({ chunk }: { chunk: Buffer }) => data.push(Buffer.from(chunk)),
      handleCommandComplete: (message: { text: string }) => (tag = message.text),
      handleReadyForQuery: () => resolve({ tag, data: Buffer.concat(data).toString() }),
      handleError: reject,
    } as never);
  });
}
