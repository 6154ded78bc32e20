// Creates the .env of docker-compose.yml from .env.example with random secrets. Runs on plain Node 20 or later.
import { generateKeyPairSync, randomBytes } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';

const file = process.argv[2] ?? '.env';
const example = readFileSync(new URL('../../.env.example', import.meta.url), 'utf8');
function random() {
  return randomBytes(18).toString('hex');
}
const special = {
  JWT_PRIVATE_KEY: () =>
    `'${JSON.stringify(generateKeyPairSync('ed25519').privateKey.export({ format: 'jwk' }))}'`,
  STRIPE_SECRET_KEY: () => `sk_test_${random()}`,
  STRIPE_PUBLISHABLE_KEY: () => `pk_test_${random()}`,
  STRIPE_WEBHOOK_SECRET: () => `whsec_${random()}`,
  STRIPE_CONNECT_WEBHOOK_SECRET: () => `whsec_${random()}`,
};
const filled = example.replace(/^([A-Z_]*(?:PASSWORD|SECRET|KEY))=$/gm, (_line, name) => {
  return `${name}=${(special[name] ?? random)()}`;
});

try {
  writeFileSync(file, filled, { flag: 'wx', mode: 0o600 });
  console.log(`Wrote ${file}`);
} catch (error) {
  if (error.code !== 'EEXIST') throw error;
  console.error(
    `${file} exists and is not changed, because the databases' volumes use its passwords.`,
  );
  const nameOf = (line) => line.slice(0, line.indexOf('='));
  const settings = (text) => text.match(/^[A-Z][A-Z0-9_]*=.*$/gm) ?? [];
  const present = new Set(settings(readFileSync(file, 'utf8')).map(nameOf));
  const missing = settings(filled).filter((line) => !present.has(nameOf(line)));
  if (missing.length > 0)
    console.error(`It lacks these settings; add them:\n\n${missing.join('\n')}`);
  process.exitCode = 1;
}
