import { Group, Stack, Text, Title } from '@mantine/core';
import {
  IconBrandFacebook,
  IconBrandInstagram,
  IconBrandLinkedin,
  IconBrandX,
} from '@tabler/icons-react';
import { Brand } from './brand.tsx';
import classes from './footer.module.css';

/** The social media URLs are not known yet, so these are images and not links. */
const networks = [
  { name: 'Facebook', icon: IconBrandFacebook },
  { name: 'X', icon: IconBrandX },
  { name: 'Instagram', icon: IconBrandInstagram },
  { name: 'LinkedIn', icon: IconBrandLinkedin },
];

export function Footer() {
  return (
    <footer className={classes.footer}>
      <div className={`page-width ${classes.footerInner}`}>
        <Stack gap={8}>
          <Brand />
          <Text size="sm" c="dimmed">
            © {new Date().getFullYear()} LendTools. Share tools, waste less, know your neighbors.
          </Text>
        </Stack>
        <Stack gap={8}>
          <Title order={2} fz="md">
            Contact Us
          </Title>
          <Group gap={8}>
            {networks.map(({ name, icon: Icon }) => (
              <span key={name} className={classes.social} role="img" aria-label={name}>
                <Icon size={20} stroke={1.6} aria-hidden />
              </span>
            ))}
          </Group>
        </Stack>
      </div>
    </footer>
  );
}
