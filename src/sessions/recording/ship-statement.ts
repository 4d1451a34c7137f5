import type { Shipment } from './shipment';

/**
 * Condition for storing progress. A session that has ended gets new progress only with new events, because
 * its row is sealed and only events prove a change.
 */
const LEARNS = `(session.status <> 'done' OR shipment.chunks_after > shipment.chunks_before)`;

/**
 * Stores a shipment in one statement, and so in one transaction and one round trip. It updates only rows that
 * are still in the state `before` of their shipment, and stores chunks and searchable words only for those
 * rows. All payloads are one parameter that the statement splits, because an array of bytea would be sent as
 * hexadecimal text. For the same reason, the inputs of a session are one text. After a machine was down for
 * longer than the retention, its journal may have events of a recording that was already removed. Such events
 * are counted, not stored.
 */
export const SHIP = shipStatement('', '');

/** Like `SHIP`, for several sessions. Locks their rows by ascending id (src/platform/database/README.md). */
export const SHIP_MANY = shipStatement(
  `locked AS MATERIALIZED (
    SELECT session.id FROM sessions AS session JOIN shipment ON session.org_id = shipment.org_id AND session.id = shipment.id
    ORDER BY session.id FOR NO KEY UPDATE OF session
  ), `,
  'JOIN locked USING (id)',
);

function shipStatement(locked: string, join: string): string {
  return `
  WITH shipment AS (
    SELECT * FROM unnest($1::uuid[], $2::uuid[], $3::int[], $4::bigint[], $5::int[], $6::text[], $7::bigint[],
      $8::bigint[], $9::bigint[], $10::bigint[], $11::int[], $12::int[], $13::text[], $14::text[], $15::int[],
      $16::float8[], $17::text[])
      AS shipment (org_id, id, chunks_before, journaled_before, chunks_after, hash_after, journaled_after, events_after,
        size_after, received, checked, blocked, guardrails_info, data_masking, exit_code, ended_after, seal)
  ), ${locked}moved AS (
    UPDATE sessions AS session SET
      chunk_count = shipment.chunks_after,
      chain_hash = decode(shipment.hash_after, 'hex'),
      journaled = shipment.journaled_after,
      events_stored = shipment.events_after,
      event_size = shipment.size_after,
      -- What was on its way when its gateway died was promised to nobody.
      events_received = CASE WHEN shipment.exit_code IS NOT NULL OR session.status = 'done' THEN shipment.events_after
        ELSE greatest(session.events_received, shipment.events_after, shipment.received) END,
      -- A journal may know of less than an earlier shipment brought.
      guardrails_checked = CASE WHEN ${LEARNS} THEN greatest(session.guardrails_checked, shipment.checked)
        ELSE session.guardrails_checked END,
      guardrails_blocked = CASE WHEN ${LEARNS} THEN greatest(session.guardrails_blocked, shipment.blocked)
        ELSE session.guardrails_blocked END,
      guardrails_info = CASE WHEN ${LEARNS} AND session.recording_purged_at IS NULL
          AND shipment.blocked >= session.guardrails_blocked
        THEN coalesce(shipment.guardrails_info::jsonb, session.guardrails_info) ELSE session.guardrails_info END,
      data_masking = CASE WHEN ${LEARNS} THEN coalesce(shipment.data_masking::jsonb, session.data_masking)
        ELSE session.data_masking END,
      seal = CASE WHEN shipment.exit_code IS NOT NULL OR session.status = 'done'
        THEN decode(shipment.seal, 'hex') END,
      -- The first end counts.
      status = CASE WHEN shipment.exit_code IS NULL THEN session.status ELSE 'done' END,
      exit_code = CASE WHEN session.status = 'done' THEN session.exit_code ELSE shipment.exit_code END,
      gateway_id = CASE WHEN shipment.exit_code IS NULL THEN session.gateway_id END,
      end_date = CASE WHEN shipment.exit_code IS NULL OR session.status = 'done' THEN session.end_date
        ELSE coalesce(session.start_date + shipment.ended_after * interval '1 millisecond', now()) END
    FROM shipment ${join}
    WHERE session.org_id = shipment.org_id AND session.id = shipment.id
      AND session.chunk_count = shipment.chunks_before AND session.journaled = shipment.journaled_before
    RETURNING session.org_id, session.id, session.start_date, session.status = 'done' AS is_over,
      session.recording_purged_at IS NULL AS is_kept
  ), stored AS (
    INSERT INTO session_chunks (org_id, session_id, seq, event_count, raw_size, payload, previous, hash)
    SELECT moved.org_id, moved.id, seq, event_count, raw_size, substring($18::bytea FROM at FOR size),
      decode(previous, 'hex'), decode(hash, 'hex')
    FROM unnest($19::uuid[], $20::int[], $21::int[], $22::int[], $23::int[], $24::int[], $25::text[], $26::text[])
      AS chunk (session_id, seq, event_count, raw_size, at, size, previous, hash)
    JOIN moved ON moved.id = chunk.session_id AND moved.is_kept
  ), indexed AS (
    INSERT INTO session_texts (org_id, session_id, seq, part, session_start, words)
    SELECT moved.org_id, moved.id, seq, (part - 1)::int, moved.start_date, session_words(input)
    FROM unnest($27::uuid[], $28::int[], $29::text[]) AS said (session_id, seq, inputs)
    JOIN moved ON moved.id = said.session_id AND moved.is_kept
    CROSS JOIN string_to_table(said.inputs, E'\\x01') WITH ORDINALITY AS one (input, part)
  )
  SELECT id, is_over FROM moved`;
}

/** Returns the parameters of `SHIP` and `SHIP_MANY`, column by column. */
export function shipParameters(shipments: readonly Shipment[]): unknown[] {
  const rows = <T>(column: (shipment: Shipment) => T): T[] => shipments.map(column);
  return [
    rows(({ session }) => session.orgId),
    rows(({ session }) => session.id),
    rows(({ before }) => before.chunkCount),
    rows(({ before }) => before.journaled),
    rows(({ after }) => after.chunkCount),
    rows(({ after }) => after.chainHash.toString('hex')),
    rows(({ after }) => after.journaled),
    rows(({ after }) => after.eventsStored),
    rows(({ after }) => after.eventSize),
    rows(({ progress }) => progress?.received ?? 0),
    rows(({ progress }) => progress?.checked ?? null),
    rows(({ progress }) => progress?.blocked ?? null),
    rows(({ progress }) => jsonOf(progress?.guardrailsInfo)),
    rows(({ progress }) => jsonOf(progress?.dataMasking)),
    rows(({ ending }) => ending?.exitCode ?? null),
    rows(({ ending }) => ending?.after ?? null),
    rows(({ seal }) => seal.toString('hex')),
    ...chunkParameters(shipments),
    ...textParameters(shipments),
  ];
}

/** Returns null for an empty value, which leaves the column unchanged. Most sessions have no hits. */
function jsonOf(value: object | undefined): string | null {
  return value === undefined || Object.keys(value).length === 0 ? null : JSON.stringify(value);
}

function chunkParameters(shipments: readonly Shipment[]): unknown[] {
  const all = shipments.flatMap(({ session, chunks }) =>
    chunks.map((chunk) => ({ sessionId: session.id, ...chunk })),
  );
  let end = 1;
  // Positions are counted from 1, as in SQL.
  const places = all.map(({ payload }) => (end += payload.length) - payload.length);
  return [
    Buffer.concat(all.map(({ payload }) => payload)),
    all.map(({ sessionId }) => sessionId),
    all.map(({ seq }) => seq),
    all.map(({ eventCount }) => eventCount),
    all.map(({ rawSize }) => rawSize),
    places,
    all.map(({ payload }) => payload.length),
    all.map(({ previous }) => previous.toString('hex')),
    all.map(({ hash }) => hash.toString('hex')),
  ];
}

/**
 * Separator of a session's inputs in one text. In an input it is replaced with a space, which loses no word,
 * because the character separates words too.
 */
const BETWEEN_INPUTS = '\x01';

function textParameters(shipments: readonly Shipment[]): unknown[] {
  const spoken = shipments.filter(({ texts }) => texts.length > 0);
  return [
    spoken.map(({ session }) => session.id),
    spoken.map(({ before }) => before.chunkCount + 1),
    spoken.map(({ texts }) => texts.map((text) => text.replaceAll(BETWEEN_INPUTS, ' ')).join(BETWEEN_INPUTS)),
  ];
}
