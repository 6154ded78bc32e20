// Prints an .env for docker-compose.yml: .env.example with every empty secret drawn at random.
// `node infra/compose/make-env.mjs > .env`, with any Node from 20 on and nothing installed.
import { generateKeyPairSync, randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';

const example = readFileSync(new URL('../../.env.example', import.meta.url), 'utf8');
const random = () => randomBytes(18).toString('hex');
const special = {
  JWT_PRIVATE_KEY: () =>
    `'${JSON.stringify(generateKeyPairSync('ed25519').privateKey.export({ format: 'jwk' }))}'`,
  STRIPE_SECRET_KEY: () => `sk_test_${random()}`,
  STRIPE_PUBLISHABLE_KEY: () => `pk_test_${random()}`,
  STRIPE_WEBHOOK_SECRET: () => `whsec_${random()}`,
};

process.stdout.write(
  example.replace(/^([A-Z_]*(?:PASSWORD|SECRET|KEY))=$/gm, (_line, name) => {
    return `${name}=${(special[name] ?? random)()}`;
  }),
);
