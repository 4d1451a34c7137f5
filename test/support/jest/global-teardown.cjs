require('./typescript.cjs');

module.exports = require('../global-teardown.ts').default;
