import { TestEnvironment } from 'jest-environment-jsdom';

/**
 * jsdom has no fetch, and its own File and FormData are strangers to Node's. The whole family comes
 * from Node, so that a picture chosen in a form really travels to the fake server.
 */
const fromNode = {
  fetch,
  Request,
  Response,
  Headers,
  FormData,
  File,
  Blob,
  AbortController,
  AbortSignal,
  TextEncoder,
  TextDecoder,
  ReadableStream,
  structuredClone,
};

export default class BrowserEnvironment extends TestEnvironment {
  async setup() {
    await super.setup();
    Object.assign(this.global, fromNode);
  }
}
