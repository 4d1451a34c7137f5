import { closeGateways } from './open-gateways';
import { forgetGateways, foundFaults } from './watched-answers';

forgetGateways();

// What came between tests counts too: in beforeAll, for the first test; in afterAll, here.
const nothingWrong = () => expect(foundFaults()).toEqual([]);

afterEach(nothingWrong);
afterAll(nothingWrong);
afterAll(closeGateways);
