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
