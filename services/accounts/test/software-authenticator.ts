import { createHash, generateKeyPairSync, randomBytes, sign } from 'node:crypto';
import { isoCBOR } from '@simplewebauthn/server/helpers';

/** How an answer differs from one that the site's own page would get. */
interface Overrides {
  origin?: string;
  rpId?: string;
  userVerified?: boolean;
  counter?: number;
  /** The format of the attestation, `none` by default. */
  format?: string;
}

const flag = { userPresent: 1, userVerified: 4, hasKey: 0x40 };
const sha256 = (data: string | Buffer): Buffer => createHash('sha256').update(data).digest();
const encode = (data: Uint8Array | string): string => Buffer.from(data).toString('base64url');

const toCose = (x: string, y: string): Uint8Array =>
  isoCBOR.encode(
    new Map<number, number | Uint8Array>([
      [1, 2],
      [3, -7],
      [-1, 1],
      [-2, new Uint8Array(Buffer.from(x, 'base64url'))],
      [-3, new Uint8Array(Buffer.from(y, 'base64url'))],
    ]),
  );

/** A passkey in software, as a phone has one for the site: an ES256 key and a counter. */
export const createAuthenticator = (site = 'http://lendtools.test') => {
  const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const { x, y } = publicKey.export({ format: 'jwk' }) as { x: string; y: string };
  const credentialId = randomBytes(32);
  const id = encode(credentialId);
  let userHandle: string | undefined;
  let uses = 0;

  const clientData = (type: string, challenge: string, { origin = site }: Overrides) =>
    JSON.stringify({ type, challenge, origin, crossOrigin: false });
  const header = (overrides: Overrides, more = 0): Buffer => {
    const { rpId = new URL(site).hostname, userVerified = true } = overrides;
    const counter = Buffer.alloc(4);
    counter.writeUInt32BE(overrides.counter ?? uses);
    const flags = flag.userPresent | (userVerified ? flag.userVerified : 0) | more;
    return Buffer.concat([sha256(rpId), Buffer.from([flags]), counter]);
  };

  return {
    id,
    /** As `navigator.credentials.create()`. */
    create(options: { challenge: string; user: { id: string } }, overrides: Overrides = {}) {
      userHandle = options.user.id;
      const length = Buffer.alloc(2);
      length.writeUInt16BE(credentialId.length);
      const authData = Buffer.concat([
        header(overrides, flag.hasKey),
        Buffer.alloc(16),
        length,
        credentialId,
        toCose(x, y),
      ]);
      const attestation = new Map<string, string | Uint8Array | Map<string, string>>([
        ['fmt', overrides.format ?? 'none'],
        ['attStmt', new Map<string, string>()],
        ['authData', new Uint8Array(authData)],
      ]);
      return {
        id,
        rawId: id,
        type: 'public-key',
        response: {
          clientDataJSON: encode(clientData('webauthn.create', options.challenge, overrides)),
          attestationObject: encode(isoCBOR.encode(attestation)),
          transports: ['internal', 'unknown'],
        },
      };
    },
    /** As `navigator.credentials.get()`. Each use increments the counter. */
    get(options: { challenge: string }, overrides: Overrides = {}) {
      uses += 1;
      const data = clientData('webauthn.get', options.challenge, overrides);
      const authData = header(overrides);
      const signature = sign('sha256', Buffer.concat([authData, sha256(data)]), privateKey);
      return {
        id,
        rawId: id,
        type: 'public-key',
        response: {
          clientDataJSON: encode(data),
          authenticatorData: encode(authData),
          signature: encode(signature),
          userHandle,
        },
      };
    },
  };
};
export type Authenticator = ReturnType<typeof createAuthenticator>;
