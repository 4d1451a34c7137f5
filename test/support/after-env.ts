import { closeGateways } from './open-gateways';
import { forgetGateways, foundFaults } from './watched-answers';

forgetGateways();

// Faults outside of tests count too: those of beforeAll for the first test, those of afterAll here.
const nothingWrong = () => expect(foundFaults()).toEqual([]);

afterEach(nothingWrong);
afterAll(nothingWrong);
afterAll(closeGateways);
