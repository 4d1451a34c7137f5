import type { TypeEntry } from './type-entry';

/**
 * Object id of the type, its name, object id of its array type (0: none), name of its send function, and the
 * element type of a range or multirange.
 */
type Row = readonly [oid: number, name: string, array: number, send: string, of?: number];

/**
 * Types with the same object ids on every server. Source: PostgreSQL 18, pg_type.dat and pg_range.dat; the
 * test `binary-types` compares the list with a server's catalog.
 */
const ROWS: readonly Row[] = [
  [16, 'bool', 1000, 'boolsend'],
  [17, 'bytea', 1001, 'byteasend'],
  [18, 'char', 1002, 'charsend'],
  [19, 'name', 1003, 'namesend'],
  [20, 'int8', 1016, 'int8send'],
  [21, 'int2', 1005, 'int2send'],
  [22, 'int2vector', 1006, 'int2vectorsend'],
  [23, 'int4', 1007, 'int4send'],
  [24, 'regproc', 1008, 'regprocsend'],
  [25, 'text', 1009, 'textsend'],
  [26, 'oid', 1028, 'oidsend'],
  [27, 'tid', 1010, 'tidsend'],
  [28, 'xid', 1011, 'xidsend'],
  [29, 'cid', 1012, 'cidsend'],
  [30, 'oidvector', 1013, 'oidvectorsend'],
  [114, 'json', 199, 'json_send'],
  [142, 'xml', 143, 'xml_send'],
  [194, 'pg_node_tree', 0, 'pg_node_tree_send'],
  [600, 'point', 1017, 'point_send'],
  [601, 'lseg', 1018, 'lseg_send'],
  [602, 'path', 1019, 'path_send'],
  [603, 'box', 1020, 'box_send'],
  [604, 'polygon', 1027, 'poly_send'],
  [628, 'line', 629, 'line_send'],
  [650, 'cidr', 651, 'cidr_send'],
  [700, 'float4', 1021, 'float4send'],
  [701, 'float8', 1022, 'float8send'],
  [705, 'unknown', 0, 'unknownsend'],
  [718, 'circle', 719, 'circle_send'],
  [774, 'macaddr8', 775, 'macaddr8_send'],
  [790, 'money', 791, 'cash_send'],
  [829, 'macaddr', 1040, 'macaddr_send'],
  [869, 'inet', 1041, 'inet_send'],
  [1042, 'bpchar', 1014, 'bpcharsend'],
  [1043, 'varchar', 1015, 'varcharsend'],
  [1082, 'date', 1182, 'date_send'],
  [1083, 'time', 1183, 'time_send'],
  [1114, 'timestamp', 1115, 'timestamp_send'],
  [1184, 'timestamptz', 1185, 'timestamptz_send'],
  [1186, 'interval', 1187, 'interval_send'],
  [1266, 'timetz', 1270, 'timetz_send'],
  [1560, 'bit', 1561, 'bit_send'],
  [1562, 'varbit', 1563, 'varbit_send'],
  [1700, 'numeric', 1231, 'numeric_send'],
  [1790, 'refcursor', 2201, 'textsend'],
  [2202, 'regprocedure', 2207, 'regproceduresend'],
  [2203, 'regoper', 2208, 'regopersend'],
  [2204, 'regoperator', 2209, 'regoperatorsend'],
  [2205, 'regclass', 2210, 'regclasssend'],
  [2206, 'regtype', 2211, 'regtypesend'],
  [2249, 'record', 2287, 'record_send'],
  [2275, 'cstring', 1263, 'cstring_send'],
  [2278, 'void', 0, 'void_send'],
  [2950, 'uuid', 2951, 'uuid_send'],
  [2970, 'txid_snapshot', 2949, 'pg_snapshot_send'],
  [3220, 'pg_lsn', 3221, 'pg_lsn_send'],
  [3361, 'pg_ndistinct', 0, 'pg_ndistinct_send'],
  [3402, 'pg_dependencies', 0, 'pg_dependencies_send'],
  [3614, 'tsvector', 3643, 'tsvectorsend'],
  [3615, 'tsquery', 3645, 'tsquerysend'],
  [3734, 'regconfig', 3735, 'regconfigsend'],
  [3769, 'regdictionary', 3770, 'regdictionarysend'],
  [3802, 'jsonb', 3807, 'jsonb_send'],
  [3904, 'int4range', 3905, 'range_send', 23],
  [3906, 'numrange', 3907, 'range_send', 1700],
  [3908, 'tsrange', 3909, 'range_send', 1114],
  [3910, 'tstzrange', 3911, 'range_send', 1184],
  [3912, 'daterange', 3913, 'range_send', 1082],
  [3926, 'int8range', 3927, 'range_send', 20],
  [4072, 'jsonpath', 4073, 'jsonpath_send'],
  [4089, 'regnamespace', 4090, 'regnamespacesend'],
  [4096, 'regrole', 4097, 'regrolesend'],
  [4191, 'regcollation', 4192, 'regcollationsend'],
  [4451, 'int4multirange', 6150, 'multirange_send', 3904],
  [4532, 'nummultirange', 6151, 'multirange_send', 3906],
  [4533, 'tsmultirange', 6152, 'multirange_send', 3908],
  [4534, 'tstzmultirange', 6153, 'multirange_send', 3910],
  [4535, 'datemultirange', 6155, 'multirange_send', 3912],
  [4536, 'int8multirange', 6157, 'multirange_send', 3926],
  [4600, 'pg_brin_bloom_summary', 0, 'brin_bloom_summary_send'],
  [4601, 'pg_brin_minmax_multi_summary', 0, 'brin_minmax_multi_summary_send'],
  [5017, 'pg_mcv_list', 0, 'pg_mcv_list_send'],
  [5038, 'pg_snapshot', 5039, 'pg_snapshot_send'],
  [5069, 'xid8', 271, 'xid8send'],
];

/** Object id of box. Its arrays separate elements by semicolons, because a box contains commas. */
const BOX = 603;

export const BUILT_IN_TYPES: ReadonlyMap<number, TypeEntry> = new Map(ROWS.flatMap(entriesOf));

function entriesOf([oid, name, array, send, of]: Row): [number, TypeEntry][] {
  const delimiter = oid === BOX ? ';' : ',';
  const entry: TypeEntry = { name, send, delimiter, ...(of !== undefined && { of }) };
  const elements: TypeEntry = { name: `${name}[]`, send: 'array_send', delimiter, of: oid };
  return array === 0
    ? [[oid, entry]]
    : [
        [oid, entry],
        [array, elements],
      ];
}
