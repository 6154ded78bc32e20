import { z } from 'zod';
import { bounded, fields, id, text } from './common.ts';

// The JSON forms that WebAuthn defines: https://www.w3.org/TR/webauthn-3/#sctn-parseCreationOptionsFromJSON

const unreadable = 'This is not an answer of a passkey';
const base64url = (max: number) => bounded(max, unreadable).regex(/^[\w-]*$/, unreadable);
const credentialId = base64url(1400);
const publicKey = z.literal('public-key', unreadable);

/** How a browser reaches an authenticator. */
const transport = z.enum(['ble', 'cable', 'hybrid', 'internal', 'nfc', 'smart-card', 'usb']);
const knownTransports = new Set<string>(transport.options);
const isKnown = (name: string): name is z.infer<typeof transport> => knownTransports.has(name);

/** What the browser returns for a new passkey. */
export const newPasskey = fields({
  id: credentialId,
  rawId: credentialId,
  type: publicKey,
  response: fields({
    clientDataJSON: base64url(4_000),
    attestationObject: base64url(16_000),
    transports: z
      .array(bounded(20, unreadable), unreadable)
      .max(10, unreadable)
      .transform((names) => names.filter(isKnown))
      .optional(),
  }),
});
export type PasskeyTransport = z.infer<typeof transport>;
export type NewPasskey = z.output<typeof newPasskey>;
export type NewPasskeyInput = z.input<typeof newPasskey>;

/** What the browser returns when a passkey is used. */
export const passkeyAnswer = fields({
  id: credentialId,
  rawId: credentialId,
  type: publicKey,
  response: fields({
    clientDataJSON: base64url(4_000),
    authenticatorData: base64url(2_000),
    signature: base64url(2_000),
    userHandle: base64url(100).nullish(),
  }),
});
export type PasskeyAnswer = z.output<typeof passkeyAnswer>;

const descriptor = z.object({
  id: z.string(),
  type: z.literal('public-key'),
  transports: z.array(transport).optional(),
});
const verification = z.enum(['discouraged', 'preferred', 'required']);

/** For `navigator.credentials.create()`. */
export const newPasskeyOptions = z.object({
  rp: z.object({ id: z.string().optional(), name: z.string() }),
  user: z.object({ id: z.string(), name: z.string(), displayName: z.string() }),
  challenge: z.string(),
  pubKeyCredParams: z.array(z.object({ alg: z.number(), type: z.literal('public-key') })),
  timeout: z.number().optional(),
  excludeCredentials: z.array(descriptor).optional(),
  authenticatorSelection: z
    .object({
      residentKey: verification.optional(),
      requireResidentKey: z.boolean().optional(),
      userVerification: verification.optional(),
    })
    .optional(),
});
export type NewPasskeyOptions = z.infer<typeof newPasskeyOptions>;

/** For `navigator.credentials.get()`. Without `allowCredentials`, the user chooses among the site's passkeys. */
export const passkeyOptions = z.object({
  challenge: z.string(),
  rpId: z.string().optional(),
  timeout: z.number().optional(),
  allowCredentials: z.array(descriptor).optional(),
  userVerification: verification.optional(),
});
export type PasskeyOptions = z.infer<typeof passkeyOptions>;

const name = text('a name', 60);
export const passkey = z.object({
  id,
  name: z.string(),
  createdAt: z.iso.datetime(),
  /** The last login with it; null if there was none. */
  usedAt: z.iso.datetime().nullable(),
});
export type Passkey = z.infer<typeof passkey>;

/** Without a name, the passkey is named after the browser. */
export const addPasskeyBody = fields({ name: name.optional(), passkey: newPasskey });
/** Recovery codes come with the first second factor, and are shown once. */
export const addPasskeyReply = z.object({
  message: z.string(),
  passkey,
  recoveryCodes: z.array(z.string()).optional(),
});
export const renamePasskeyBody = fields({ name });
export const passkeyReply = z.object({ passkey });
