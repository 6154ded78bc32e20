import { TestEnvironment } from 'jest-environment-node';

/** Sets `journeyFailed` for a journey's `afterEach`, because Jest does not expose whether a test failed. */
export default class JourneyEnvironment extends TestEnvironment {
  handleTestEvent({ name }) {
    if (name === 'test_start') this.global.journeyFailed = false;
    if (name === 'test_fn_failure') this.global.journeyFailed = true;
  }
}
