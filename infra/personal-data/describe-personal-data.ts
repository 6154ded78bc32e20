import { type ServiceName, serviceNames } from '@lendtools/contracts';
import { type Fate, fates, storedData } from './personal-data.ts';

export function wordsOf(text = ''): string[] {
  return text.split(' ').filter(Boolean);
}

/** The table of docs/retention.md: a line for each service and fate. */
export function describePersonalData(): string {
  const lines = serviceNames.flatMap((service) =>
    (Object.keys(fates) as Fate[]).flatMap((fate) => {
      const places = placesOf(service, fate);
      return places.length === 0 ? [] : [`| ${service} | ${places.join('; ')} | ${fates[fate]} |`];
    }),
  );
  return ['| service | data | when the account is deleted |', '|---|---|---|', ...lines].join('\n');
}

/** The other table: which file of a user's download has the personal data of each table. */
export function describeDownload(): string {
  const lines = serviceNames.flatMap((service) =>
    Object.entries(storedData[service]).flatMap(([table, stored]) =>
      stored.personal ? [`| ${service} | \`${table}\` | ${stored.download} |`] : [],
    ),
  );
  return ['| service | table | in the download |', '|---|---|---|', ...lines].join('\n');
}

function placesOf(service: ServiceName, fate: Fate): string[] {
  return Object.entries(storedData[service]).flatMap(([table, stored]) => {
    const fields = wordsOf(stored.personal?.[fate]);
    return fields.length === 0 ? [] : [`\`${table}\`: ${fields.join(', ')}`];
  });
}
