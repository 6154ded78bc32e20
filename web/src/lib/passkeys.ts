import type { NewPasskeyOptions, PasskeyOptions } from '@lendtools/contracts';
import { startAuthentication, startRegistration } from '@simplewebauthn/browser';

type Outcome<A> = { answer: A; problem?: undefined } | { answer?: undefined; problem: string };

/** The messages of browsers are for developers, so only the kind of the error is used. */
function inWords(error: unknown): string {
  switch ((error as Error | undefined)?.name) {
    case 'InvalidStateError':
      return 'This device has a passkey for your account already.';
    case 'SecurityError':
      return 'Passkeys don’t work at this address.';
    case 'ConstraintError':
    case 'NotSupportedError':
      return 'This device can’t store a passkey. Try your phone or a security key with a PIN.';
    default:
      return 'No passkey was used. You can try again, or use another way.';
  }
}

async function outcomeOf<A>(prompt: Promise<A>): Promise<Outcome<A>> {
  return prompt.then(
    (answer) => ({ answer }),
    (error) => ({ problem: inWords(error) }),
  );
}

/** Has the user confirm with a passkey. */
export function promptForPasskey(optionsJSON: PasskeyOptions) {
  return outcomeOf(startAuthentication({ optionsJSON }));
}

/** Has the browser create a passkey. */
export function createPasskey(optionsJSON: NewPasskeyOptions) {
  return outcomeOf(startRegistration({ optionsJSON }));
}
