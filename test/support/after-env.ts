import { closeGateways } from './open-gateways';
import { forgetSigningKeys } from './signing-keys';
import { forgetGateways, foundFaults } from './watched-answers';

forgetGateways();
forgetSigningKeys();

// Checks hooks too: faults in beforeAll fail the first test, faults in afterAll fail the afterAll below.
const nothingWrong = () => expect(foundFaults()).toEqual([]);

afterEach(nothingWrong);
afterAll(nothingWrong);
afterAll(closeGateways);
