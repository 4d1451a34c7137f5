import { closeGateways } from './open-gateways';
import { forgetSigningKeys } from './signing-keys';
import { forgetGateways, foundFaults } from './watched-answers';

forgetGateways();
forgetSigningKeys();

// Faults outside of tests count too: those of beforeAll for the first test, those of afterAll here.
const nothingWrong = () => expect(foundFaults()).toEqual([]);

afterEach(nothingWrong);
afterAll(nothingWrong);
afterAll(closeGateways);

// A test that passes when it is repeated is told at the end of the run (jest/flaky-tests.cjs).
const repetitions = Number(process.env['TEST_RETRIES'] ?? 0);
if (repetitions > 0) jest.retryTimes(repetitions, { logErrorsBeforeRetry: true });
