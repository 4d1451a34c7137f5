/**
 * Type bytes of messages.
 * Source: PostgreSQL documentation, "Message Formats".
 */

// Sent by the client.
export const QUERY = 0x51;
export const PARSE = 0x50;
export const BIND = 0x42;
export const EXECUTE = 0x45;
export const DESCRIBE = 0x44;
export const CLOSE = 0x43;
export const SYNC = 0x53;
export const FLUSH = 0x48;
export const FUNCTION_CALL = 0x46;
export const TERMINATE = 0x58;

// Sent by either side.
export const COPY_DATA = 0x64;
export const COPY_DONE = 0x63;
export const COPY_FAIL = 0x66;

// Sent by the server.
export const PARSE_COMPLETE = 0x31;
export const BIND_COMPLETE = 0x32;
export const CLOSE_COMPLETE = 0x33;
export const NOTIFICATION = 0x41;
export const COMMAND_COMPLETE = 0x43;
export const DATA_ROW = 0x44;
export const ERROR = 0x45;
export const COPY_IN = 0x47;
export const COPY_OUT = 0x48;
export const EMPTY_QUERY = 0x49;
export const NOTICE = 0x4e;
export const PARAMETER_STATUS = 0x53;
export const ROW_DESCRIPTION = 0x54;
export const COPY_BOTH = 0x57;
export const READY = 0x5a;
export const NO_DATA = 0x6e;
export const PORTAL_SUSPENDED = 0x73;
export const PARAMETER_DESCRIPTION = 0x74;
