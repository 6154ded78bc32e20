import Environment from '@jest/environment-jsdom-abstract';
import * as jsdom from 'jsdom';

/**
 * jsdom has no fetch, and its own File and FormData are strangers to Node's. The whole family comes
 * from Node, so that a picture chosen in a form really travels to the fake server.
 */
const fromNode = {
  fetch,
  Request,
  Response,
  Headers,
  File,
  Blob,
  AbortController,
  AbortSignal,
  TextEncoder,
  TextDecoder,
  ReadableStream,
  structuredClone,
};

export default class BrowserEnvironment extends Environment {
  /** Jest's own environment brings a jsdom whose `getComputedStyle`, which each `getByRole` asks, is many times slower. */
  constructor(config, context) {
    super(config, context, jsdom);
  }

  async setup() {
    await super.setup();
    const PageFormData = this.global.FormData;
    /** Node's, which can be sent, but made from a form of the page as React does on a submit. */
    class SendableFormData extends FormData {
      constructor(form, submitter) {
        super();
        if (!form) return;
        for (const [name, value] of new PageFormData(form, submitter)) this.append(name, value);
      }
    }
    Object.assign(this.global, fromNode, { FormData: SendableFormData });
  }
}
