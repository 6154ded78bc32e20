import Environment from '@jest/environment-jsdom-abstract';
import * as jsdom from 'jsdom';

/** Uses Node's fetch, which jsdom lacks, and Node's File and FormData, because Node's fetch rejects jsdom's. */
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
  /** Uses our jsdom: in Jest's own, `getComputedStyle`, which `getByRole` calls often, is many times slower. */
  constructor(config, context) {
    super(config, context, jsdom);
  }

  async setup() {
    await super.setup();
    const PageFormData = this.global.FormData;
    /** Node's FormData, filled from a jsdom form as React does on a submit, because fetch can't send jsdom's FormData. */
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
