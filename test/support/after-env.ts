import { foundFaults, stopWatching } from './watched-answers';

// What came between tests counts too: in beforeAll, for the first test; in afterAll, here.
const nothingWrong = () => expect(foundFaults()).toEqual([]);

afterEach(nothingWrong);
afterAll(() => {
  stopWatching();
  nothingWrong();
});
