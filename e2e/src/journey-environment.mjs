import { TestEnvironment } from 'jest-environment-node';

/** Tells a journey's `afterEach` whether it failed, which jest keeps to itself. */
export default class JourneyEnvironment extends TestEnvironment {
  handleTestEvent({ name }) {
    if (name === 'test_start') this.global.journeyFailed = false;
    if (name === 'test_fn_failure') this.global.journeyFailed = true;
  }
}
