const { Pool } = require('pg');

/** Chance of a delay each time that a connection is asked for: before a query, or a transaction. */
const CHANCE = 0.3;
const SHORT_MS = 40;
/** Chance that a delay is a long one. */
const LONG_CHANCE = 0.15;
const LONG_MS = 500;

/**
 * Lets each pool of this process give its connections after a random delay, as on a busy database. A test
 * that expects two things in an order that nothing promises fails with it, and must wait for the first.
 */
exports.slowDatabase = () => {
  const later = setTimeout;
  // oxlint-disable-next-line typescript/unbound-method -- it is called with a pool as `this`
  const { connect } = Pool.prototype;
  const ignore = () => undefined;
  const delayed = (client, give) => {
    if (client === undefined || Math.random() >= CHANCE) return give();
    // A connection that is lost meanwhile reports it to its next query.
    client.on('error', ignore);
    const ms = Math.random() * (Math.random() < LONG_CHANCE ? LONG_MS : SHORT_MS);
    later(() => {
      client.off('error', ignore);
      give();
    }, ms);
  };
  Pool.prototype.connect = function (callback) {
    if (callback === undefined)
      return connect
        .call(this)
        .then((client) => new Promise((resolve) => delayed(client, () => resolve(client))));
    return connect.call(this, (error, client, release) =>
      delayed(client, () => callback(error, client, release)),
    );
  };
};
