import { stopTestServer } from './global-setup';

export default stopTestServer;
