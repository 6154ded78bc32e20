/** What jsdom lacks: a browser with one passkey, `a2V5`. The server's fake accepts any signature. */
export interface FakePasskeys {
  /** Whether the user closes the browser's dialog. */
  cancels: boolean;
  remove(): void;
}

function bytes(text: string): ArrayBuffer {
  return new TextEncoder().encode(text).buffer;
}

export function installPasskeys(): FakePasskeys {
  const device = { cancels: false, remove };
  const credential = {
    id: 'a2V5',
    rawId: bytes('key'),
    type: 'public-key',
    response: {
      clientDataJSON: bytes('{}'),
      attestationObject: bytes('attestation'),
      authenticatorData: bytes('data'),
      signature: bytes('signature'),
      userHandle: bytes('rita'),
    },
    getClientExtensionResults: () => ({}),
  };
  const answer = async () => {
    if (device.cancels) throw new DOMException('The user closed the dialog.', 'NotAllowedError');
    return credential;
  };
  Object.assign(globalThis, { PublicKeyCredential: class {} });
  Object.defineProperty(navigator, 'credentials', {
    configurable: true,
    value: { create: answer, get: answer },
  });
  function remove() {
    Reflect.deleteProperty(globalThis, 'PublicKeyCredential');
  }
  return device;
}
