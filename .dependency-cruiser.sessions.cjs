/**
 * The modules about sessions, lowest first, and which of the lower ones each may import, through their doors. Injection
 * goes the same way: what is below tells what is above by observers (`LiveSessions`) and callbacks alone.
 */
const sessionModules = {
  'recording-format': [],
  journal: ['recording-format'],
  archive: ['recording-format'],
  recording: ['recording-format', 'journal', 'archive'],
  'session-ledger': ['recording-format', 'recording'],
  'session-search': [],
  sessions: ['recording-format', 'recording', 'session-ledger', 'session-search'],
  'session-evidence': ['recording-format', 'recording', 'session-ledger', 'sessions'],
  'session-reading': ['recording-format', 'recording', 'sessions', 'session-evidence'],
  'session-calls': ['recording', 'sessions'],
  'review-context': ['sessions'],
  retention: ['session-ledger'],
};

/** What the modules about sessions offer each other. Of the others, nobody else imports any of it. */
const sessionDoors = {
  'recording-format': '[^/]+',
  journal: '[^/]+',
  archive: 'archive\\.module|archived-chunks',
  recording:
    'recording\\.module|session\\.entity|event-writer|gateway-pipeline|live-sessions|stored-sessions|recording-(reader|removed|store)',
  'session-ledger':
    'session-ledger\\.module|session-ledger|session-facts|sealed-approval|ledger-(anchors|check|database|entry|verification\\.(dto|service)|writer)',
  'session-search':
    'session-search\\.module|audited-searches|settled-counts|session-(list-query|search|words)',
  sessions: 'sessions\\.module|session-head|session\\.dto|visible-sessions',
  'session-evidence': 'session-evidence\\.module|files/evidence-files',
};

module.exports = { sessionModules, sessionDoors };
