import { type ServiceName, serviceNames } from '@lendtools/contracts';
import type { PictureSettings } from '@lendtools/service-kit';
import type { BrokerAccess } from './broker-users.ts';
import type { ServerContext } from './home.ts';
import type { MailServer } from './mail.ts';
import { nodeProcess } from './node-process.ts';
import type { Servers } from './servers.ts';
import type { Stripe } from './stripe.ts';
import type { ProcessSpec } from './supervisor.ts';
import { webFolder } from './web-build.ts';

export interface Surroundings {
  servers: Servers;
  databases: Record<ServiceName, string>;
  brokerAccess: BrokerAccess;
  images: Record<'accounts' | 'catalog', PictureSettings>;
  mail: MailServer;
  stripe: Stripe;
  site: string;
  sitePort: number;
  admin: { email: string; password: string };
  /** Each replica has its own port. */
  ports: Record<ServiceName, number[]>;
}

export function describeServices(context: ServerContext, around: Surroundings): ProcessSpec[] {
  const services = serviceNames.flatMap((service) =>
    around.ports[service].map((port, index) =>
      nodeProcess(context, {
        name: index === 0 ? service : `${service}-${index + 1}`,
        replica: index + 1,
        port,
        main: `services/${service}/src/main.ts`,
        env: {
          ...sharedEnvironment(around),
          AMQP_URL: around.brokerAccess.urls[service],
          AMQP_DECLARES: around.brokerAccess.declares,
          ...environmentOf(service, context, around),
        },
      }),
    ),
  );
  const gateway = nodeProcess(context, {
    name: 'gateway',
    replica: 1,
    port: around.sitePort,
    main: 'gateway/src/main.ts',
    env: {
      PUBLIC_URL: around.site,
      WEB_DIST: webFolder(),
      ...Object.fromEntries(
        serviceNames.map((name) => [`${name.toUpperCase()}_URL`, urlsOf(name, around).join(',')]),
      ),
      ...stripeApiBase(around),
    },
  });
  return [...services, gateway];
}

function sharedEnvironment(around: Surroundings): NodeJS.ProcessEnv {
  return {
    PUBLIC_URL: around.site,
    ACCOUNTS_URL: urlsOf('accounts', around).join(','),
  };
}

function environmentOf(
  service: ServiceName,
  context: ServerContext,
  around: Surroundings,
): NodeJS.ProcessEnv {
  const { databases, stripe, admin } = around;
  switch (service) {
    case 'accounts':
      return {
        DATABASE_URL: databases.accounts,
        JWT_PRIVATE_KEY: process.env.JWT_PRIVATE_KEY ?? context.secrets.jwtPrivateKey(),
        REQUIRE_ADMIN_MFA: process.env.REQUIRE_ADMIN_MFA,
        FACTOR_KEY: process.env.FACTOR_KEY ?? context.secrets.get('factorKey'),
        BOOKINGS_URL: urlsOf('bookings', around).join(','),
        PAYMENTS_URL: urlsOf('payments', around).join(','),
        MESSAGING_URL: urlsOf('messaging', around).join(','),
        NOTIFICATIONS_URL: urlsOf('notifications', around).join(','),
        ...internalSecret(context),
        ADMIN_EMAIL: admin.email,
        ADMIN_PASSWORD: admin.password,
        CATALOG_URL: urlsOf('catalog', around).join(','),
        ...around.images.accounts,
      };
    case 'catalog':
      return { DATABASE_URL: databases.catalog, ...around.images.catalog };
    case 'bookings':
      return {
        DATABASE_URL: databases.bookings,
        PAYMENTS_URL: urlsOf('payments', around).join(','),
        ...internalSecret(context),
        COMMISSION_PERCENT: process.env.COMMISSION_PERCENT ?? '10',
        COMMISSION_FIXED_CENTS: process.env.COMMISSION_FIXED_CENTS ?? '0',
      };
    case 'payments':
      return {
        DATABASE_URL: databases.payments,
        BOOKINGS_URL: urlsOf('bookings', around).join(','),
        ...internalSecret(context),
        STRIPE_SECRET_KEY: stripe.secretKey,
        STRIPE_PUBLISHABLE_KEY: stripe.publishableKey,
        STRIPE_WEBHOOK_SECRET: stripe.webhookSecret,
        ...(stripe.connectWebhookSecret && {
          STRIPE_CONNECT_WEBHOOK_SECRET: stripe.connectWebhookSecret,
        }),
        ...stripeApiBase(around),
      };
    case 'messaging':
      return {
        MONGO_URL: databases.messaging,
        ...smallHeap,
        CATALOG_URL: urlsOf('catalog', around).join(','),
      };
    case 'notifications':
      return {
        MONGO_URL: databases.notifications,
        ...smallHeap,
        PAYMENTS_URL: urlsOf('payments', around).join(','),
        ...internalSecret(context),
        SMTP_URL: around.mail.smtpUrl,
        MAIL_FROM: process.env.MAIL_FROM ?? 'LendTools <hello@lendtools.example>',
      };
  }
}

/** Limits V8's young generation. Otherwise mongoose makes the messaging and notifications services use over 130 MB when idle. */
const smallHeap = { NODE_OPTIONS: '--max-semi-space-size=2' };

/** The accounts, bookings, payments and notifications services authenticate each other with this secret. */
function internalSecret({ secrets }: ServerContext): NodeJS.ProcessEnv {
  return { INTERNAL_SECRET: process.env.INTERNAL_SECRET ?? secrets.get('internalSecret') };
}

function stripeApiBase({ stripe }: Surroundings): NodeJS.ProcessEnv {
  return stripe.apiBase === null ? {} : { STRIPE_API_BASE: stripe.apiBase };
}

function urlsOf(service: ServiceName, around: Surroundings): string[] {
  return around.ports[service].map((port) => `http://127.0.0.1:${port}`);
}
