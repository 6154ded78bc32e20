// Prints the Secrets of a new release with random passwords: `node infra/helm/make-secrets.mjs [release] > secrets.yaml`.
// Add Stripe's keys, the mail server and the bucket, then `kubectl apply -f secrets.yaml`. Runs on plain Node 20 or later.
import { generateKeyPairSync, randomBytes } from 'node:crypto';

const release = process.argv[2] ?? 'lendtools';
const inPostgres = ['accounts', 'catalog', 'bookings', 'payments'];
const inMongo = ['messaging', 'notifications'];
const toFill = 'FILL-IN';

function random() {
  return randomBytes(18).toString('hex');
}

function secret(name, values, type = 'Opaque') {
  const lines = Object.entries(values).map(([key, value]) => `  ${key}: ${JSON.stringify(value)}`);
  return `apiVersion: v1
kind: Secret
metadata:
  name: ${release}-${name}
type: ${type}
stringData:
${lines.join('\n')}
`;
}

const broker = `${release}-rabbitmq`;
const admin = { username: 'lendtools', password: random() };
const internal = { INTERNAL_SECRET: random() };
const bucket = { S3_URL: toFill };
const signingKey = generateKeyPairSync('ed25519').privateKey.export({ format: 'jwk' });
const own = {
  accounts: {
    JWT_PRIVATE_KEY: JSON.stringify(signingKey),
    FACTOR_KEY: random(),
    ...internal,
    ADMIN_PASSWORD: random(),
    ...bucket,
  },
  catalog: bucket,
  bookings: internal,
  payments: {
    ...internal,
    STRIPE_SECRET_KEY: toFill,
    STRIPE_PUBLISHABLE_KEY: toFill,
    STRIPE_WEBHOOK_SECRET: toFill,
    STRIPE_CONNECT_WEBHOOK_SECRET: toFill,
  },
  messaging: {},
  notifications: { ...internal, SMTP_URL: toFill },
};

const secrets = [];
const brokerPasswords = {};
for (const [service, values] of Object.entries(own)) {
  const [database, atBroker] = [random(), random()];
  brokerPasswords[`${service.toUpperCase()}_BROKER_PASSWORD`] = atBroker;
  const url = inPostgres.includes(service)
    ? {
        DATABASE_URL: `postgres://${service}:${database}@${release}-postgres-rw:5432/${service}?sslmode=no-verify`,
      }
    : {
        MONGO_URL: `mongodb://${service}:${database}@${release}-mongodb-rs0:27017/${service}?replicaSet=rs0`,
      };
  const amqp = { AMQP_URL: `amqp://${service}:${atBroker}@${broker}:5672` };
  secrets.push(secret(service, { ...url, ...amqp, ...values }));
  secrets.push(
    inMongo.includes(service)
      ? secret(`mongodb-${service}`, { password: database })
      : secret(
          `postgres-${service}`,
          { username: service, password: database },
          'kubernetes.io/basic-auth',
        ),
  );
}
const { username, password } = admin;
secrets.push(
  secret('broker-setup', {
    AMQP_URL: `amqp://${username}:${password}@${broker}:5672`,
    AMQP_MANAGEMENT_URL: `http://${username}:${password}@${broker}:15672`,
    ...brokerPasswords,
  }),
  secret('rabbitmq-admin', {
    ...admin,
    host: broker,
    port: '5672',
    provider: 'rabbitmq',
    type: 'rabbitmq',
    'default_user.conf': `default_user = ${username}\ndefault_pass = ${password}\n`,
  }),
);
console.log(secrets.join('---\n').trimEnd());
