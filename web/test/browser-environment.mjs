import Environment from '@jest/environment-jsdom-abstract';
import * as jsdom from 'jsdom';

/**
 * jsdom has no fetch, and Node's fetch does not accept jsdom's File and FormData. So all of these come from Node, and a
 * file chosen in a form is really uploaded to the fake server.
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
  /**
   * Passes our version of jsdom: in the one bundled with Jest, `getComputedStyle` is many times slower, and `getByRole`
   * calls it often.
   */
  constructor(config, context) {
    super(config, context, jsdom);
  }

  async setup() {
    await super.setup();
    const PageFormData = this.global.FormData;
    /** Node's FormData, which fetch can send, created from a jsdom form as React does on a submit. */
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
